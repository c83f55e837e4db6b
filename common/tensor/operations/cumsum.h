// Cumulative sums along dimension d: y_i = x_0 + ... + x_i. The result is row-major, as PyTorch's;
// integers and bool give int64.
//
// Added up one after the other, in FP64 for fp64 and fp32, in FP32 for bf16 and fp16, in int64 for
// integers (modulo 2^64), and rounded to the dtype at each place: PyTorch's bits on the CPU. On the
// GPU in FP64 for halves, too, and piece by piece: other sums by 2^-53 n times the magnitudes' sum.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

Tensor cumsum(const Tensor& x, int d);

}  // namespace napkin
