// What casts and block quantization cost on the GPU, by its own clock.
//
// share: of the limit, which is the driver's copy of as many bytes, measured right before and
// after.
#include <benchmark/benchmark.h>

#include "benchmarks/beside.h"
#include "common/core/stopwatch.h"
#include "common/numeric/block_formats.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"

using namespace napkin;

namespace {

using benchmark::State;

// Argument: n of an n x n matrix.
Tensor normal_values(const State& state, DType dtype) {
  return randn({state.range(0), state.range(0)}).to(Device::cuda).to(dtype);
}

void cast(State& state, DType from, DType to) {
  const Tensor x = normal_values(state, from);
  Tensor y = empty(x.shape(), {.dtype = to, .device = Device::cuda});
  beside_a_gpu_copy(state, x.bytes() + y.bytes(), [&] { y.copy_(x); });
}

void into_blocks(State& state, const BlockFormat& format) {
  const Tensor x = normal_values(state, DType::fp32);
  beside_a_gpu_copy(state, x.bytes() + quantize(x, format).bytes(),
                    [&] { keep(quantize(x, format)); });
}

void out_of_blocks(State& state, const BlockFormat& format) {
  const Tensor x = normal_values(state, DType::fp32);
  const BlockTensor q = quantize(x, format);
  beside_a_gpu_copy(state, x.bytes() + q.bytes(), [&] { keep(dequantize(q)); });
}

}  // namespace

void register_gpu_benchmarks() {
  for (const DType narrow : all_dtypes) {
    if (!is_floating(narrow) || size_of(narrow) > 2) continue;
    add_on_gpu(fmt::format("gpu_cast/fp32_to_{}", name(narrow)), cast, DType::fp32, narrow);
    add_on_gpu(fmt::format("gpu_cast/{}_to_fp32", name(narrow)), cast, narrow, DType::fp32);
  }
  for (const char* format : {"nvfp4", "mxfp8", "mxfp4", "fp8", "fp4"}) {
    add_on_gpu(fmt::format("gpu_quantize/{}", format), into_blocks, block_format_named(format));
    add_on_gpu(fmt::format("gpu_dequantize/{}", format), out_of_blocks, block_format_named(format));
  }
}
