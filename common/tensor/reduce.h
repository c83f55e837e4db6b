// Reductions. The order of additions follows from the shape and the strides alone: the same bits at
// any number of threads and on any processor (fast/reduce_loops.h has the order). fp32, bf16 and
// fp16 are added up in FP32 and rounded to the dtype once, fp64 in FP64, integers and bool in int64
// (modulo 2^64), which is also the result's dtype, as in PyTorch.
//
// n numbers: the sum is off by at most (32 + 5 + log2(n / 1024)) units of rounding (2^-24 in FP32)
// times the sum of their magnitudes, for each of the dimensions that cannot be merged into one.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

// The sum of all elements, 0-dimensional; 0 for an empty tensor.
Tensor sum(const Tensor& x);
// The sum over the given dimensions (all of them where none is given); they stay with size 1 where
// keep is true.
Tensor sum(const Tensor& x, const Dims& over, bool keep = false);

}  // namespace napkin
