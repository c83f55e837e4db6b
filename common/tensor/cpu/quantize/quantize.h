// Block tensors on the CPU. The result is there, uninitialised; x is contiguous and floating.
#pragma once
#include "common/tensor/block_tensor.h"

namespace napkin::cpu {

// Refuses infinity and NaN where the format has no place for them, before anything is written.
void quantize(const BlockTensor& q, const Tensor& x);
void dequantize(const Tensor& result, const BlockTensor& q);

}  // namespace napkin::cpu
