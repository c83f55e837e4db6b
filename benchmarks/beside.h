// For benchmarks: work timed beside a limit, which is measured right before and after.
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "common/accounting/limits.h"
#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/gpu/copy.h"
#include "common/gpu/timer.h"
#include "common/tensor/create.h"

namespace napkin {

// limit() and work() give seconds; the shortest of each counts. Sets the counter
// "share".
struct Beside {
  double best, limit;
};
template <class Limit, class Work>
Beside beside(benchmark::State& state, Limit&& limit, Work&& work) {
  Beside b{std::numeric_limits<double>::infinity(), limit()};
  for (auto _ : state) {
    const double seconds = work();
    state.SetIterationTime(seconds);
    b.best = std::min(b.best, seconds);
  }
  b.limit = std::min(b.limit, limit());
  state.counters["share"] = b.limit / b.best;
  return b;
}

// The rates of so many bytes.
inline void report_rates(benchmark::State& state, const Beside& b, std::int64_t bytes_moved) {
  const auto moved = static_cast<double>(bytes_moved);
  state.counters["GB/s"] = moved / b.best / 1e9;
  state.counters["limit"] = moved / b.limit / 1e9;
}

// On so many threads of the CPU.
template <class Limit, class Work>
Beside beside_on_threads(benchmark::State& state, int team, Limit&& limit, Work&& work) {
  const int before = threads();
  set_threads(team);
  const Beside b = beside(state, limit, [&] { return best_seconds(1, 1, work); });
  set_threads(before);
  return b;
}

// The same beside a copy of as many bytes as the work moves.
template <class Work>
Beside beside_a_copy(benchmark::State& state, std::int64_t bytes_moved, int team, Work&& work) {
  const auto limit = [&] { return accounting::copy_seconds(bytes_moved / 2); };
  return beside_on_threads(state, team, limit, work);
}

// On the GPU, beside the driver's copy.
template <class Work>
void beside_a_gpu_copy(benchmark::State& state, std::int64_t bytes_moved, Work&& work) {
  constexpr int calls = 16;
  const Tensor from = ones({bytes_moved / 2}, {.dtype = DType::uint8, .device = Device::cuda});
  const Tensor to = empty_like(from);
  const auto limit = [&] {
    return gpu::best_seconds(
        4, calls, [&] { gpu::copy_on_gpu(to.raw_data(), from.raw_data(), bytes_moved / 2); });
  };
  const Beside b = beside(state, limit, [&] { return gpu::best_seconds(1, calls, work); });
  state.counters["best_us"] = b.best * 1e6;
  report_rates(state, b, bytes_moved);
}

// Registers work on the GPU, timed by the GPU's clock, for an n that fits its caches and one that
// does not. work(state, arguments...)
template <class Work, class... Arguments>
void add_on_gpu(const std::string& name, Work work, Arguments... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), work, arguments...)
      ->Arg(4096)
      ->Arg(16384)
      ->ArgName("n")
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->MinTime(0.1);
}

}  // namespace napkin
