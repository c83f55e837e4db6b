// softmax(x)_i = e^(x_i - max) / sum_j e^(x_j - max) along dimension d, and its logarithm,
// (x_i - max) - log of that sum. Floating dtypes; the result is row-major, as PyTorch's.
//
// Computed in FP32 (FP64 for fp64) and rounded once. The sum has the order of reduce.h, whatever
// the layout: the same bits at any number of threads, on any processor, for rows and for columns.
// softmax is within a relative error of 2^-24 (8 + |log y|) (the difference x_i - max is rounded),
// log_softmax within 4 units in the last place of the larger of |y| and 1. A line whose largest
// element is inf or -inf, or that holds NaN, becomes NaN, as in PyTorch.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

Tensor softmax(const Tensor& x, int d);
Tensor log_softmax(const Tensor& x, int d);

}  // namespace napkin
