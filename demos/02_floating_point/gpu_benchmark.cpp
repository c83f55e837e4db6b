// What casts and block quantisation cost on the GPU, by its own clock.
//
// share: of the limit, which is the driver's copy of as many bytes, measured right before and
// after.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

#include "common/core/stopwatch.h"
#include "common/gpu/copy.h"
#include "common/gpu/timer.h"
#include "common/numeric/block_formats.h"
#include "common/tensor/block_tensor.h"
#include "common/tensor/create.h"
#include "common/tensor/random.h"

using namespace napkin;

namespace {

using benchmark::State;

// Argument: n of an n x n matrix.
template <class Work>
void on_gpu(State& state, std::int64_t bytes_moved, Work&& work) {
  constexpr int calls = 16;
  const Tensor from = ones({bytes_moved / 2}, {.dtype = DType::uint8, .device = Device::cuda});
  const Tensor to = empty_like(from);
  const auto limit = [&] {
    return gpu::best_seconds(
        4, calls, [&] { gpu::copy_on_gpu(to.raw_data(), from.raw_data(), bytes_moved / 2); });
  };
  double copy = limit();
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const double seconds = gpu::best_seconds(1, calls, work);
    state.SetIterationTime(seconds);
    best = std::min(best, seconds);
  }
  copy = std::min(copy, limit());
  const auto moved = static_cast<double>(bytes_moved);
  state.counters["best_us"] = best * 1e6;
  state.counters["GB/s"] = moved / best / 1e9;
  state.counters["limit"] = moved / copy / 1e9;
  state.counters["share"] = copy / best;
}

Tensor normal_values(const State& state, DType dtype) {
  return randn({state.range(0), state.range(0)}).to(Device::cuda).to(dtype);
}

void cast(State& state, DType from, DType to) {
  const Tensor x = normal_values(state, from);
  Tensor y = empty(x.shape(), {.dtype = to, .device = Device::cuda});
  on_gpu(state, x.bytes() + y.bytes(), [&] { y.copy_(x); });
}

void into_blocks(State& state, const BlockFormat& format) {
  const Tensor x = normal_values(state, DType::fp32);
  on_gpu(state, x.bytes() + quantise(x, format).bytes(), [&] { keep(quantise(x, format)); });
}

void out_of_blocks(State& state, const BlockFormat& format) {
  const Tensor x = normal_values(state, DType::fp32);
  const BlockTensor q = quantise(x, format);
  on_gpu(state, x.bytes() + q.bytes(), [&] { keep(dequantise(q)); });
}

void add(const std::string& name, auto... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), arguments...)
      ->Arg(4096)
      ->Arg(16384)
      ->ArgName("n")
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->MinTime(0.1);
}

}  // namespace

void register_gpu_benchmarks() {
  for (const DType narrow : all_dtypes) {
    if (!is_floating(narrow) || size_of(narrow) > 2) continue;
    add(fmt::format("gpu_cast/fp32_to_{}", name(narrow)), cast, DType::fp32, narrow);
    add(fmt::format("gpu_cast/{}_to_fp32", name(narrow)), cast, narrow, DType::fp32);
  }
  for (const char* format : {"nvfp4", "mxfp8", "mxfp4", "fp8", "fp4"}) {
    add(fmt::format("gpu_quantise/{}", format), into_blocks, block_format_named(format));
    add(fmt::format("gpu_dequantise/{}", format), out_of_blocks, block_format_named(format));
  }
}
