// Reductions. The order of additions is fixed by the shape alone: the same bits at any number of
// threads and on any processor. fp32, bf16 and fp16 are added up in FP32, fp64 in FP64, integers in
// int64 (also the result's dtype, as in PyTorch).
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

// The sum of all elements, 0-dimensional; 0 for an empty tensor.
Tensor sum(const Tensor& x);
// The sum over the given dimensions; they stay with size 1 where keep is true.
Tensor sum(const Tensor& x, const Dims& over, bool keep = false);

}  // namespace napkin
