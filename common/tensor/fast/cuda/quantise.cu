#include "common/tensor/fast/cuda/quantise.h"

#include "common/tensor/fast/cuda/engine.cuh"
#include "common/tensor/fast/cuda/quantise_plan.h"

namespace napkin::fast::cuda {

void quantise(const BlockTensor& q, const Tensor& x) {
  quantise_with(GpuEngine{}, q, x, gpu::fault_reporter("quantise"));
}

void dequantise(const Tensor& result, const BlockTensor& q) {
  dequantise_with(GpuEngine{}, result, q);
}

}  // namespace napkin::fast::cuda
