// Times every operation of the table beside what the machine allows, and beside PyTorch where
// python3 can import it (reference/speed.py runs the same operations; NAPKIN_PYTHON names another
// interpreter). Both take turns, so that a busy machine disturbs both alike.
//
//   ./lecture bench library [--threads N] [--dtype bf16] [--device cuda] [--rows N] [--columns N]
//                           [OPERATION ...]
//
// "of limit": the share of the fastest copy of as many bytes as the operation must read and write,
// or of the processor's FMA peak for matmul, which has a row for Eigen, too. Times are the shortest
// of several; memory is reused.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/eigen_product.h"
#include "benchmarks/peer.h"
#include "common/accounting/limits.h"
#include "common/core/machine.h"
#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/gpu/runtime.h"
#include "common/gpu/timer.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/testing/samples.h"

using namespace napkin;

namespace {

struct Settings {
  int threads = napkin::threads();
  DType dtype = DType::fp32;
  Device device = Device::cpu;
  samples::Size size = {4096, 4096};
  std::vector<std::string> operations;
};

void check_known(const std::string& name, const Settings& s) {
  for (const Operation& o : operations())
    if (o.name == name) return check_defined(o.op, s.dtype, s.device);
  fail("there is no operation \"{}\"; docs/operations.md lists them", name);
}

constexpr const char* usage =
    "library_benchmark [--threads N] [--dtype NAME] [--device cpu|cuda] [--rows N] [--columns N] "
    "[OPERATION ...]\n"
    "Times operations on matrices of that size (matmul: of at most 1024 x 1024 on the CPU).\n"
    "  of limit   the share of a copy of as many bytes; for matmul, of the FMA peak of all "
    "threads\n"
    "  by Eigen   its product of the same sizes (fp32, fp64), always on one thread\n"
    "  PyTorch /  PyTorch's time by that of the row, where python3 (or NAPKIN_PYTHON) can import "
    "it\n";

Settings settings_of(const std::vector<std::string>& words) {
  Settings s;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (!word.starts_with("--")) {
      s.operations.push_back(word);
      continue;
    }
    check(k + 1 < words.size(), "{} wants a value", word);
    const std::string& value = words[++k];
    const auto number = [&] {
      char* end = nullptr;
      const long n = std::strtol(value.c_str(), &end, 10);
      check(*end == '\0' && n > 0 && n <= 1 << 20, "{} {}: a number from 1 to 1048576", word,
            value);
      return static_cast<int>(n);
    };
    if (word == "--threads")
      s.threads = number();
    else if (word == "--rows")
      s.size.rows = number();
    else if (word == "--columns")
      s.size.columns = number();
    else if (word == "--dtype")
      s.dtype = dtype_named(value);
    else if (word == "--device")
      s.device = device_named(value);
    else
      fail("{} is unknown; there are --threads, --rows, --columns, --dtype, --device", word);
  }
  check(s.device != Device::meta, "on meta nothing is computed");
  check(s.device == Device::cpu || gpu::available(), "--device cuda: {}", gpu::why_unavailable());
  for (const std::string& o : s.operations) check_known(o, s);
  return s;
}

// FLOPs and bytes that the operation tells of.
struct Account : Observer {
  double flops = 0, bytes = 0;
  void on(const OperationEvent& e) override {
    flops += e.flops;
    bytes += static_cast<double>(e.bytes_read + e.bytes_written);
  }
};

double seconds_of(const samples::Call& call, Device device) {
  if (device == Device::cuda) return gpu::best_seconds(1, 1, [&] { call(); });
  return best_seconds(1, 1, [&] { keep(call()); });
}

bool chosen(const Settings& s, std::string_view name) {
  if (s.operations.empty()) return true;
  for (const std::string& o : s.operations)
    if (o == name) return true;
  return false;
}

// What a row tells; on the GPU no limit is known.
struct Row {
  std::string_view name;
  samples::Size size;
  double seconds, bytes, flops, theirs;
  std::string limit;

  void print(std::string_view remark = "") const {
    fmt::print("{:<14}{:>12}{:>11.3f}{:>9.1f}{:>10.1f}{:>10}{:>11}{}\n", name,
               fmt::format("{} x {}", size.rows, size.columns), seconds * 1e3,
               bytes / seconds / 1e9, flops / seconds / 1e9, limit,
               theirs < 1e9 ? fmt::format("{:.2f} x", theirs / seconds) : "-", remark);
  }
};

std::string share_of_limit(const Operation& o, const Row& row) {
  return fmt::format(
      "{:.2f}",
      o.op == Op::matmul
          ? row.flops / row.seconds / accounting::peak_flops()
          : accounting::copy_seconds(static_cast<std::int64_t>(row.bytes / 2)) / row.seconds);
}

// Eigen's product of the same sizes; nothing for other operations, types and devices.
template <class T>
std::function<void()> eigen_of(samples::Size size) {
  const Tensor a = samples::numbers({size.rows, size.columns}, dtype_of<T>, Device::cpu, 1);
  const Tensor b = samples::numbers({size.columns, size.rows}, dtype_of<T>, Device::cpu, 2);
  const Tensor c = empty({size.rows, size.rows}, {.dtype = dtype_of<T>});
  return [=] {
    eigen_product(c.data<T>(), a.data<T>(), b.data<T>(), size.rows, size.columns, size.rows);
  };
}
std::function<void()> eigen_of(const Operation& o, const Settings& s, samples::Size size) {
  if (o.op != Op::matmul || s.device != Device::cpu) return nullptr;
  if (s.dtype == DType::fp32) return eigen_of<float>(size);
  if (s.dtype == DType::fp64) return eigen_of<double>(size);
  return nullptr;
}

void time(const Operation& o, const Settings& s, samples::Peer& peer) {
  // A product of this size would take seconds: n^3.
  const samples::Size size = o.op == Op::matmul && s.device == Device::cpu
                                 ? samples::Size{std::min<std::int64_t>(s.size.rows, 1024),
                                                 std::min<std::int64_t>(s.size.columns, 1024)}
                                 : s.size;
  const samples::Call call = samples::call(o.op, s.dtype, s.device, size);
  const std::function<void()> eigen = eigen_of(o, s, size);
  Account account;
  call();
  Row ours = {o.name, size, 1e9, account.bytes, account.flops, 1e9, ""}, eigens = ours;
  for (int turn = 0; turn < 5; ++turn) {
    for (int k = 0; k < 3; ++k) ours.seconds = std::min(ours.seconds, seconds_of(call, s.device));
    if (eigen) eigens.seconds = std::min(eigens.seconds, best_seconds(3, 1, eigen));
    ours.theirs = std::min(ours.theirs, peer.seconds(o.name, name(s.dtype), name(s.device), size));
  }
  if (s.device == Device::cpu) ours.limit = share_of_limit(o, ours);
  ours.print();
  if (!eigen) return;
  eigens.name = "  by Eigen";
  eigens.theirs = ours.theirs;
  eigens.limit = share_of_limit(o, eigens);
  eigens.print("  " + describe_eigen());
}

void run(const Settings& s) {
  set_threads(s.threads);
  samples::Peer peer(s.threads);
  fmt::print("{}, {}, {}; {}\n\n", name(s.dtype),
             s.device == Device::cuda ? gpu::describe() : fmt::format("{} threads", s.threads),
             cpu::levels().front(), peer.describe());
  fmt::print("{:<14}{:>12}{:>11}{:>9}{:>10}{:>10}{:>11}\n", "operation", "input", "ms", "GB/s",
             "GFLOP/s", "of limit", "PyTorch /");
  for (const Operation& o : operations())
    if (chosen(s, o.name) && is_defined(o.op, s.dtype, s.device)) time(o, s, peer);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    fmt::print("{}", usage);
    return 0;
  }
  set_gpu_probe(gpu::probe);
  run(settings_of({argv + 1, argv + argc}));
} catch (const Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
