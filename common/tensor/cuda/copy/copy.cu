#include "common/tensor/cuda/copy/copy.h"

#include "common/tensor/cuda/copy/copy_plan.h"
#include "common/tensor/cuda/engine.cuh"
#include "common/tensor/number.h"

namespace napkin::cuda {

void copy(const Tensor& destination, const Tensor& source, Overflow overflow) {
  copy_with(GpuEngine{}, destination, source, overflow);
}

void fill(const Tensor& x, Scalar value) {
  alignas(8) std::byte element[8];
  store_number(value, x.dtype(), element);
  fill_with(GpuEngine{}, x, element);
}

}  // namespace napkin::cuda
