// What lines of einops cost on the GPU, by its own clock.
//
// share: of the limit, which is the driver's copy of as many bytes, measured right before and
// after; of einsum, which is matmul called directly.
#include <benchmark/benchmark.h>

#include <string>

#include "benchmarks/beside.h"
#include "common/core/stopwatch.h"
#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/random/random.h"

using namespace napkin;

namespace {

using benchmark::State;

// Argument: n of sources, or results, of n x n elements.
Tensor normal_values(const Shape& shape, DType dtype = DType::fp32) {
  return randn(shape).to(Device::cuda).to(dtype);
}

void split_heads(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor x = normal_values({n / 512, 512, n});
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] {
    keep(rearrange(x, "b s (h d) -> b h s d", {{"d", 64}}).contiguous());
  });
}

void patches(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor x = normal_values({n * n / (4 * 256 * 256), 4, 256, 256});
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] {
    keep(rearrange(x, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {{"p1", 8}, {"p2", 8}}));
  });
}

void repeat_heads(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor k = normal_values({n / 512, 2, 512, n / 8});
  beside_a_gpu_copy(state, 5 * k.bytes(), [&] {
    keep(repeat(k, "b kv s d -> b (kv g) s d", {{"g", 4}}));
  });
}

void mean_over_tokens(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor x = normal_values({n / 512, 512, n});
  beside_a_gpu_copy(state, x.bytes(), [&] { keep(reduce(x, "b s d -> b d", Reduction::mean)); });
}

template <class Product, class Einsum>
void beside_matmul(State& state, Product&& product, Einsum&& einsum) {
  constexpr int calls = 16;
  const auto limit = [&] { return gpu::best_seconds(4, calls, product); };
  const Beside b = beside(state, limit, [&] { return gpu::best_seconds(1, calls, einsum); });
  state.counters["best_us"] = b.best * 1e6;
}

void scores(State& state, DType dtype) {
  const std::int64_t n = state.range(0);
  const Tensor q = normal_values({n / 512, n / 64, 512, 64}, dtype), k = empty_like(q).copy_(q);
  beside_matmul(
      state, [&] { keep(matmul(q, k.transpose(-2, -1))); },
      [&] { keep(einsum(q, k, "b h q d, b h k d -> b h q k")); });
}

// From heads as they lie beside each other in memory, without merging them.
void project_heads(State& state, DType dtype) {
  const std::int64_t n = state.range(0);
  const Tensor x = normal_values({n / 512, 512, n}, dtype), w = normal_values({n, 1024}, dtype);
  const Tensor heads = rearrange(x, "b s (h d) -> b h s d", {{"d", 64}});
  const Tensor by_head = rearrange(w, "(h d) e -> h d e", {{"d", 64}});
  beside_matmul(
      state, [&] { keep(matmul(x, w)); },
      [&] { keep(einsum(heads, by_head, "b h s d, h d e -> b s e")); });
}

}  // namespace

void register_gpu_benchmarks() {
  add_on_gpu("gpu_split_heads", split_heads);
  add_on_gpu("gpu_patches", patches);
  add_on_gpu("gpu_repeat_heads", repeat_heads);
  add_on_gpu("gpu_mean_over_tokens", mean_over_tokens);
  for (const DType dtype : {DType::fp32, DType::bf16}) {
    add_on_gpu(fmt::format("gpu_einsum_scores/{}", name(dtype)), scores, dtype);
    add_on_gpu(fmt::format("gpu_einsum_project_heads/{}", name(dtype)), project_heads, dtype);
  }
}
