// Block tensors on the GPU. The result is there, uninitialised; x is contiguous and floating.
// Infinity and NaN that the format has no place for are reported (gpu/fault.h). They return at
// once; the work is in the stream.
#pragma once
#include "common/tensor/block_tensor.h"

namespace napkin::cuda {

void quantize(const BlockTensor& q, const Tensor& x);
void dequantize(const Tensor& result, const BlockTensor& q);

}  // namespace napkin::cuda
