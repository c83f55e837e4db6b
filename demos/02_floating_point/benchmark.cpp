// What casts and block quantization cost, beside a plain copy of as many bytes.
//
//   ./lecture bench 02 [--benchmark_filter=cast]
//
// share: of the limit, which is the faster one of a streaming copy and memcpy of as many bytes with
// as many threads, measured right before and after. Bytes are those read plus those written, GB is
// 1e9. Times are the shortest of many; buffers are reused. Where there is a GPU, it is measured,
// too (gpu_benchmark.cpp).
#include <benchmark/benchmark.h>

#include "benchmarks/beside.h"
#include "common/accounting/limits.h"
#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/gpu/runtime.h"
#include "common/numeric/block_formats.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"

using namespace napkin;

void register_gpu_benchmarks();  // gpu_benchmark.cpp

namespace {

using benchmark::State;

constexpr std::int64_t side = 4096;

// Reports the work's rate and its share of the limit for so many bytes moved.
template <class Work>
void beside_the_limit(State& state, std::int64_t bytes_moved, Work&& work) {
  const Beside b = beside_a_copy(state, bytes_moved, static_cast<int>(state.range(0)), work);
  state.counters["best_ms"] = b.best * 1e3;
  report_rates(state, b, bytes_moved);
}

void cast(State& state, DType from, DType to) {
  const Tensor x = randn({side, side}).to(from);
  Tensor y = empty({side, side}, {.dtype = to});
  beside_the_limit(state, x.bytes() + y.bytes(), [&] { y.copy_(x); });
}

void into_blocks(State& state, const BlockFormat& format, DType from) {
  const Tensor x = randn({side, side}).to(from);
  const std::int64_t moved = x.bytes() + quantize(x, format).bytes();
  beside_the_limit(state, moved, [&] { keep(quantize(x, format)); });
}

void out_of_blocks(State& state, const BlockFormat& format, DType to) {
  const BlockTensor q = quantize(randn({side, side}), format);
  const std::int64_t moved = q.bytes() + side * side * size_of(to);
  beside_the_limit(state, moved, [&] { keep(dequantize(q, to)); });
}

void add(const std::string& name, auto... arguments) {
  auto* b = benchmark::RegisterBenchmark(name.c_str(), arguments...);
  b->Arg(1);
  if (threads() > 1) b->Arg(threads());
  b->ArgName("threads")->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);
}

void add_all() {
  for (const DType narrow : all_dtypes) {
    if (!is_floating(narrow) || size_of(narrow) > 2) continue;
    add(fmt::format("cast/fp32_to_{}", name(narrow)), cast, DType::fp32, narrow);
    add(fmt::format("cast/{}_to_fp32", name(narrow)), cast, narrow, DType::fp32);
  }
  for (const char* format : {"nvfp4", "mxfp8", "mxfp4", "fp8", "fp4"}) {
    const BlockFormat f = block_format_named(format);
    for (const DType wide : {DType::fp32, DType::bf16}) {
      add(fmt::format("quantize/{}_to_{}", name(wide), format), into_blocks, f, wide);
      add(fmt::format("dequantize/{}_to_{}", format, name(wide)), out_of_blocks, f, wide);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("instruction set", cpu::levels().front());
  benchmark::AddCustomContext("GPU", gpu::describe());
  add_all();
  if (gpu::available()) register_gpu_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
