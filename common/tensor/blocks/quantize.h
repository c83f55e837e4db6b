// Tensors to and from blocks that share scales (block_tensor.h).
#pragma once
#include "common/tensor/block_tensor.h"

namespace napkin {

// From a floating tensor. Unless scales are e8m0, infinity and NaN are refused with their position:
// the first one's on the CPU; from the GPU the refusal comes with the next wait, for any of them.
BlockTensor quantize(const Tensor& x, const BlockFormat& format);

// code x scale, computed in FP32, as a contiguous tensor of a floating dtype.
Tensor dequantize(const BlockTensor& q, DType dtype = DType::fp32);

}  // namespace napkin
