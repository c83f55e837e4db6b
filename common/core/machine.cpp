#include "common/core/machine.h"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "common/core/processor_name.h"

namespace napkin {
namespace {

std::string name_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  if (const std::string name = processor_name(file); !name.empty()) return name;
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown processor";
}

// The widest that loops are compiled for; on x86, what processor and operating system both allow.
std::string_view widest_vectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  if (__builtin_cpu_supports("sse4.2")) return "SSE4";
  return "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "";
#endif
}

std::function<Gpu()>& gpu_probe() {
  static std::function<Gpu()> probe;
  return probe;
}

std::optional<Gpu>& known_gpu() {
  static std::optional<Gpu> known;
  return known;
}

}  // namespace

int allowed_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const Machine& machine() {
  static const Machine here{name_of_processor(), allowed_processors(),
                            std::string(widest_vectors())};
  return here;
}

const Gpu& this_gpu() {
  std::optional<Gpu>& known = known_gpu();
  if (!known) known = gpu_probe() ? gpu_probe()() : Gpu{false, "no GPU"};
  return *known;
}

void set_gpu_probe(std::function<Gpu()> probe) {
  gpu_probe() = std::move(probe);
  known_gpu().reset();
}

}  // namespace napkin
