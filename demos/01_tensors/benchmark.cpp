// What views, copies and x * 2 cost, beside what the machine's memory allows.
//
//   ./lecture bench 01 [--benchmark_filter=transposed]
//
// share: of the limit, which is the faster one of a streaming copy and memcpy of as many bytes with
// as many threads, measured right before and after. Bytes are those read plus those written, GB is
// 1e9. Times are the shortest of many; buffers are reused, as in a training loop. Where there is a
// GPU, it is measured, too (gpu_benchmark.cpp).
#include <benchmark/benchmark.h>

#include "benchmarks/beside.h"
#include "common/accounting/limits.h"
#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/gpu/runtime.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/reduce.h"

using namespace napkin;

void register_gpu_benchmarks();  // gpu_benchmark.cpp

namespace {

using benchmark::State;

// Reports the work's rate and its share of the limit for so many bytes moved.
template <class Work>
void beside_the_limit(State& state, std::int64_t bytes_moved, int team, Work&& work) {
  const Beside b = beside_a_copy(state, bytes_moved, team, work);
  state.counters["best_us"] = b.best * 1e6;
  report_rates(state, b, bytes_moved);
}

Tensor square(std::int64_t n, DType dtype = DType::fp32) { return ones({n, n}, {.dtype = dtype}); }

void view_transposed(State& state) {
  const Tensor x = square(4096);
  for (auto _ : state) benchmark::DoNotOptimize(x.t());
}
void view_sliced(State& state) {
  const Tensor x = square(4096);
  for (auto _ : state) benchmark::DoNotOptimize(x.slice(1, 1, 3));
}
void view_reshaped(State& state) {
  const Tensor x = square(4096);
  for (auto _ : state) benchmark::DoNotOptimize(x.view({64, 64, 4096}));
}

// Arguments: n of an n x n matrix, threads.
void limit(State& state) {
  const std::int64_t bytes = state.range(0) * state.range(0) * 4;
  set_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) state.SetIterationTime(accounting::copy_seconds(bytes));
  state.SetBytesProcessed(state.iterations() * 2 * bytes);
}
void copy_contiguous(State& state) {
  const Tensor x = square(state.range(0));
  Tensor y = square(state.range(0));
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] { y.copy_(x); });
}
void copy_transposed(State& state) {
  const Tensor x = square(state.range(0));
  Tensor y = square(state.range(0));
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] { y.copy_(x.t()); });
}
void copy_transposed_new(State& state) {
  const Tensor x = square(state.range(0));
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)),
                   [&] { keep(x.t().contiguous()); });
}
void times_two_new(State& state) {
  const Tensor x = square(state.range(0));
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] { keep(x * 2); });
}
void times_two_in_place(State& state) {
  Tensor x = square(state.range(0));
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] { x.mul_(1); });
}
void to_bf16(State& state) {
  const Tensor x = square(state.range(0));
  beside_the_limit(state, x.bytes() / 2 * 3, static_cast<int>(state.range(1)),
                   [&] { keep(x.to(DType::bf16)); });
}
void sum_of_rows(State& state) {
  const Tensor x = square(state.range(0));
  beside_the_limit(state, x.bytes(), static_cast<int>(state.range(1)), [&] { keep(sum(x, {1})); });
}
void sum_of_columns(State& state) {
  const Tensor x = square(state.range(0));
  beside_the_limit(state, x.bytes(), static_cast<int>(state.range(1)), [&] { keep(sum(x, {0})); });
}

// Arguments: bytes of an element, threads.
void copy_transposed_type(State& state) {
  const DType dtype = state.range(0) == 1   ? DType::uint8
                      : state.range(0) == 2 ? DType::bf16
                                            : DType::int64;
  const Tensor x = square(4096, dtype);
  Tensor y = square(4096, dtype);
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] { y.copy_(x.t()); });
}

// Heads of attention: (batch, time, heads, width) to (batch, heads, time, width), then to columns.
void copy_heads(State& state) {
  const Tensor x = ones({8, 512, 12, 64});
  Tensor y = ones({8, 12, 512, 64});
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] {
    y.copy_(x.permute({0, 2, 1, 3}));
  });
}
void copy_heads_transposed(State& state) {
  const Tensor x = ones({8, 512, 12, 64});
  Tensor y = ones({8, 12, 64, 512});
  beside_the_limit(state, 2 * x.bytes(), static_cast<int>(state.range(1)), [&] {
    y.copy_(x.permute({0, 2, 3, 1}));
  });
}

void tiny_addition(State& state) {
  const Tensor x = ones({16}, {.dtype = DType::bf16});
  Tensor y = zeros({16}, {.dtype = DType::bf16});
  for (auto _ : state) y.add_(x);
}

void with_threads(benchmark::internal::Benchmark* b, const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t size : sizes) {
    b->Args({size, 1});
    if (threads() > 1) b->Args({size, threads()});
  }
  b->ArgNames({"n", "threads"})->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);
}
void large(benchmark::internal::Benchmark* b) { with_threads(b, {4096}); }
void several(benchmark::internal::Benchmark* b) { with_threads(b, {64, 512, 1024, 4096}); }
void odd_too(benchmark::internal::Benchmark* b) {
  with_threads(b, {64, 500, 512, 1024, 2048, 4096, 4097, 4100});
}
void types(benchmark::internal::Benchmark* b) {
  with_threads(b, {1, 2, 8});
  b->ArgNames({"bytes", "threads"});
}
void one_size(benchmark::internal::Benchmark* b) { with_threads(b, {0}); }

BENCHMARK(view_transposed);
BENCHMARK(view_sliced);
BENCHMARK(view_reshaped);
BENCHMARK(tiny_addition);
BENCHMARK(limit)->Apply(large);
BENCHMARK(copy_contiguous)->Apply(several);
BENCHMARK(copy_transposed)->Apply(odd_too);
BENCHMARK(copy_transposed_new)->Apply(large);
BENCHMARK(copy_transposed_type)->Apply(types);
BENCHMARK(copy_heads)->Apply(one_size);
BENCHMARK(copy_heads_transposed)->Apply(one_size);
BENCHMARK(times_two_new)->Apply(several);
BENCHMARK(times_two_in_place)->Apply(large);
BENCHMARK(to_bf16)->Apply(large);
BENCHMARK(sum_of_rows)->Apply(several);
BENCHMARK(sum_of_columns)->Apply(several);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("instruction set", cpu::levels().front());
  benchmark::AddCustomContext("GPU", gpu::describe());
  if (gpu::available()) register_gpu_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
