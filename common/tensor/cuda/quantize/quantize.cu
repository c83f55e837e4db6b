#include "common/tensor/cuda/quantize/quantize.h"

#include "common/tensor/cuda/engine.cuh"
#include "common/tensor/cuda/quantize/quantize_plan.h"

namespace napkin::cuda {

void quantize(const BlockTensor& q, const Tensor& x) {
  quantize_with(GpuEngine{}, q, x, gpu::fault_reporter("quantize"));
}

void dequantize(const Tensor& result, const BlockTensor& q) {
  dequantize_with(GpuEngine{}, result, q);
}

}  // namespace napkin::cuda
