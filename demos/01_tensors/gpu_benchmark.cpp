// What copies and elementwise operations cost on the GPU, by its own clock.
//
// share: of the limit, which is the driver's copy of as many bytes, measured right before and
// after.
#include <benchmark/benchmark.h>

#include <utility>

#include "benchmarks/beside.h"
#include "common/core/stopwatch.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"

using namespace napkin;

namespace {

using benchmark::State;

// Argument: n of an n x n matrix.
Tensor gpu_square(const State& state, DType dtype = DType::fp32) {
  return ones({state.range(0), state.range(0)}, {.dtype = dtype, .device = Device::cuda});
}

void gpu_copy_transposed(State& state) {
  const Tensor x = gpu_square(state);
  Tensor y = empty_like(x);
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { y.copy_(x.t()); });
}
void gpu_copy_transposed_bf16(State& state) {
  const Tensor x = gpu_square(state, DType::bf16);
  Tensor y = empty_like(x);
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { y.copy_(x.t()); });
}
void gpu_copy_every_other(State& state) {
  const Tensor x = gpu_square(state), half = x.slice(1, 0, Tensor::to_end, 2);
  Tensor y = empty(half.shape(), {.device = Device::cuda});
  beside_a_gpu_copy(state, 2 * y.bytes(), [&] { y.copy_(half); });
}
void gpu_copy_heads(State& state) {
  const std::int64_t n = state.range(0);
  const Tensor x = gpu_square(state).view({n / 512, 512, n / 64, 64});
  Tensor y = empty({n / 512, n / 64, 512, 64}, {.device = Device::cuda});
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { y.copy_(x.permute({0, 2, 1, 3})); });
}
void gpu_times_two(State& state) {
  const Tensor x = gpu_square(state);
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { keep(x * 2); });
}
void gpu_times_two_bf16(State& state) {
  const Tensor x = gpu_square(state, DType::bf16);
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { keep(x * 2); });
}
void gpu_add_row(State& state) {
  const Tensor x = gpu_square(state), row = x[0];
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { keep(x + row); });
}
void gpu_add_transposed(State& state) {
  const Tensor x = gpu_square(state);
  beside_a_gpu_copy(state, 3 * x.bytes(), [&] { keep(x + x.t()); });
}
void gpu_to_bf16(State& state) {
  const Tensor x = gpu_square(state);
  beside_a_gpu_copy(state, x.bytes() / 2 * 3, [&] { keep(x.to(DType::bf16)); });
}
void gpu_from_bf16(State& state) {
  const Tensor x = gpu_square(state, DType::bf16);
  beside_a_gpu_copy(state, x.bytes() * 3, [&] { keep(x.to(DType::fp32)); });
}
void gpu_fill(State& state) {
  Tensor x = gpu_square(state);
  beside_a_gpu_copy(state, 2 * x.bytes(), [&] { x.fill_(1); });  // a share of 2: nothing is read
}

}  // namespace

void register_gpu_benchmarks() {
  const std::pair<const char*, void (*)(State&)> all[] = {
      {"gpu_copy_transposed", gpu_copy_transposed},
      {"gpu_copy_transposed_bf16", gpu_copy_transposed_bf16},
      {"gpu_copy_every_other", gpu_copy_every_other},
      {"gpu_copy_heads", gpu_copy_heads},
      {"gpu_times_two", gpu_times_two},
      {"gpu_times_two_bf16", gpu_times_two_bf16},
      {"gpu_add_row", gpu_add_row},
      {"gpu_add_transposed", gpu_add_transposed},
      {"gpu_to_bf16", gpu_to_bf16},
      {"gpu_from_bf16", gpu_from_bf16},
      {"gpu_fill", gpu_fill}};
  for (const auto& [name, work] : all) add_on_gpu(name, work);
}
