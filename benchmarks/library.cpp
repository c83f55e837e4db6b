// Times every operation of the table beside what the machine allows, and beside PyTorch where
// python3 can import it (reference/speed.py runs the same operations; NAPKIN_PYTHON names another
// interpreter). Both take turns, so that a busy machine disturbs both alike.
//
//   ./lecture bench library [--threads N] [--dtype bf16] [--device cuda] [--rows N] [--columns N]
//                           [OPERATION ...]
//
// "of limit": the share of the fastest copy of as many bytes as the operation must read and write,
// or of the processor's FMA peak for matmul. Times are the shortest of several; memory is reused.
#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "common/core/machine.h"
#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/gpu/runtime.h"
#include "common/gpu/timer.h"
#include "common/accounting/limits.h"
#include "common/tensor/cpu/levels.h"
#include "benchmarks/peer.h"
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
    "  of limit   the share of a copy of as many bytes; for matmul, of the FMA peak\n"
    "  PyTorch /  PyTorch's time by ours, where python3 (or NAPKIN_PYTHON) can import it\n";

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

void time(const Operation& o, const Settings& s, samples::Peer& peer) {
  // A product of this size would take seconds: n^3.
  const samples::Size size = o.op == Op::matmul && s.device == Device::cpu
                                 ? samples::Size{std::min<std::int64_t>(s.size.rows, 1024),
                                                 std::min<std::int64_t>(s.size.columns, 1024)}
                                 : s.size;
  const samples::Call call = samples::call(o.op, s.dtype, s.device, size);
  Account account;
  call();
  const double flops = account.flops, bytes = account.bytes;
  double ours = 1e9, theirs = 1e9;
  for (int turn = 0; turn < 5; ++turn) {
    for (int k = 0; k < 3; ++k) ours = std::min(ours, seconds_of(call, s.device));
    theirs = std::min(theirs, peer.seconds(o.name, name(s.dtype), name(s.device), size));
  }
  std::string limit = "";
  if (s.device == Device::cpu)
    limit =
        fmt::format("{:.2f}", o.op == Op::matmul
                                  ? flops / ours / cpu::peak_flops()
                                  : cpu::copy_seconds(static_cast<std::int64_t>(bytes / 2)) / ours);
  fmt::print("{:<14}{:>12}{:>11.3f}{:>9.1f}{:>10.1f}{:>10}{:>11}\n", o.name,
             fmt::format("{} x {}", size.rows, size.columns), ours * 1e3, bytes / ours / 1e9,
             flops / ours / 1e9, limit,
             theirs < 1e9 ? fmt::format("{:.2f} x", theirs / ours) : "-");
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
