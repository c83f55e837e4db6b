// What lines of einops cost, beside a plain copy of as many bytes and beside the matrix product.
//
//   ./lecture bench 03 [--benchmark_filter=scores]
//
// share: of the limit, which is the faster one of a streaming copy and memcpy of as many bytes with
// as many threads, measured right before and after; of einsum, which is matmul called directly.
// Bytes are those read plus those written, GB is 1e9. Times are the shortest of many. Where there
// is a GPU, it is measured, too (gpu_benchmark.cpp).
#include <benchmark/benchmark.h>

#include <algorithm>

#include "benchmarks/beside.h"
#include "common/accounting/limits.h"
#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/gpu/runtime.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/random/random.h"

using namespace napkin;

void register_gpu_benchmarks();  // gpu_benchmark.cpp

namespace {

using benchmark::State;

// Reports the work's share of the limit.
template <class Limit, class Work>
void beside_the_limit(State& state, Limit&& limit, Work&& work) {
  const Beside b = beside_on_threads(state, static_cast<int>(state.range(0)), limit, work);
  state.counters["best_ms"] = b.best * 1e3;
}

template <class Work>
void beside_the_copy(State& state, std::int64_t bytes_moved, Work&& work) {
  const auto copy = [&] { return accounting::copy_seconds(bytes_moved / 2); };
  beside_the_limit(state, copy, work);
}

// Calls that take less than a clock can tell, the two alternating.
template <class Product, class Einsum>
void beside_matmul(State& state, Product&& product, Einsum&& einsum) {
  double direct = 1, named = 1;  // seconds
  for (auto _ : state) {
    direct = std::min(direct, best_seconds(1, 100, product));
    const double seconds = best_seconds(1, 100, einsum);
    state.SetIterationTime(seconds);
    named = std::min(named, seconds);
  }
  state.counters["matmul_ns"] = direct * 1e9;
  state.counters["einsum_ns"] = named * 1e9;
  state.counters["more_ns"] = (named - direct) * 1e9;
  state.counters["share"] = direct / named;
}

void split_heads(State& state) {
  const Tensor x = randn({8, 512, 16 * 64});
  beside_the_copy(state, 2 * x.bytes(), [&] {
    keep(rearrange(x, "b s (h d) -> b h s d", {{"h", 16}}).contiguous());
  });
}

void patches(State& state) {
  const Tensor x = randn({16, 3, 256, 256});
  beside_the_copy(state, 2 * x.bytes(), [&] {
    keep(rearrange(x, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {{"p1", 8}, {"p2", 8}}));
  });
}

void repeat_heads(State& state) {
  const Tensor k = randn({8, 2, 512, 64});
  beside_the_copy(state, 5 * k.bytes(), [&] {
    keep(repeat(k, "b kv s d -> b (kv g) s d", {{"g", 4}}));
  });
}

void mean_over_tokens(State& state) {
  const Tensor x = randn({8, 512, 1024});
  beside_the_copy(state, x.bytes(), [&] { keep(reduce(x, "b s d -> b d", Reduction::mean)); });
}

void scores(State& state) {
  const Tensor q = randn({4, 8, 256, 64}), k = randn({4, 8, 256, 64});
  const auto product = [&] { keep(matmul(q, k.transpose(-2, -1))); };
  beside_the_limit(
      state, [&] { return best_seconds(20, 1, product); },
      [&] { keep(einsum(q, k, "b h q d, b h k d -> b h q k")); });
}

// What the names cost: of n x n matrices, and of heads of n x n, whose keys are turned.
void small_product(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor a = randn({n, n}), b = randn({n, n});
  beside_matmul(
      state, [&] { keep(matmul(a, b)); }, [&] { keep(einsum(a, b, "i k, k j -> i j")); });
}

void small_scores(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor q = randn({1, 2, n, n}), k = randn({1, 2, n, n});
  beside_matmul(
      state, [&] { keep(matmul(q, k.transpose(-2, -1))); },
      [&] { keep(einsum(q, k, "b h q d, b h k d -> b h q k")); });
}

// Patterns that are known already, and views: what is left is the plan and the new tensor.
void view_of_a_known_pattern(State& state) {
  const Tensor x = randn({2, 5, 64});
  for (auto _ : state) benchmark::DoNotOptimize(rearrange(x, "b s (h d) -> b h s d", {{"h", 8}}));
}

void with_threads(benchmark::internal::Benchmark* b) {
  b->Arg(1);
  if (threads() > 1) b->Arg(threads());
  b->ArgName("threads")->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);
}

void with_sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {4, 16, 64, 128}) b->Arg(n);
  b->ArgName("n")->UseManualTime()->Unit(benchmark::kNanosecond)->Iterations(500);
}

BENCHMARK(view_of_a_known_pattern);
BENCHMARK(small_product)->Apply(with_sizes);
BENCHMARK(small_scores)->Apply(with_sizes);
BENCHMARK(split_heads)->Apply(with_threads);
BENCHMARK(patches)->Apply(with_threads);
BENCHMARK(repeat_heads)->Apply(with_threads);
BENCHMARK(mean_over_tokens)->Apply(with_threads);
BENCHMARK(scores)->Apply(with_threads);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("instruction set", cpu::levels().front());
  benchmark::AddCustomContext("GPU", gpu::describe());
  if (gpu::available()) register_gpu_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
