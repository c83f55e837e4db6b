// Reductions over any dimensions: all of them where none is named; they stay with size 1 where
// `keep` is true. rules/reduce.h has what is computed, one number at a time.
//
// The order of additions follows from the shape and the strides alone: the same bits at any number
// of threads and on any processor (cpu/reduce/reduce_loops.h has the order). fp32, bf16 and fp16
// are combined in FP32 or FP64 and rounded to the dtype once, fp64 in FP64, integers and bool in
// int64 (modulo 2^64), which is also the dtype of their sums and products, as in PyTorch.
//
// n numbers: their sum is off by at most (32 + 5 + log2(n / 1024)) units of rounding (2^-24 in
// FP32) times the sum of their magnitudes, for each of the dimensions that cannot be merged into
// one.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

// Of no elements: 0.
Tensor sum(const Tensor& x);
Tensor sum(const Tensor& x, const Dims& over, bool keep = false);
// Of no elements: NaN.
Tensor mean(const Tensor& x, const Dims& over = {}, bool keep = false);
// Of no elements: 1. PyTorch takes one dimension only.
Tensor prod(const Tensor& x, const Dims& over = {}, bool keep = false);

// The largest and the smallest element, as torch.amax and torch.amin: values without places. NaN
// where one is among them; of zeros of both signs, either; no elements are refused.
Tensor max(const Tensor& x, const Dims& over = {}, bool keep = false);
Tensor min(const Tensor& x, const Dims& over = {}, bool keep = false);

// The index (int64) of the first largest or smallest element along a dimension, or among all
// elements in row-major order. NaN counts as the largest and as the smallest.
Tensor argmax(const Tensor& x);
Tensor argmax(const Tensor& x, int d, bool keep = false);
Tensor argmin(const Tensor& x);
Tensor argmin(const Tensor& x, int d, bool keep = false);

// The sum of squared distances from the mean over max(0, n - correction); the mean first, then the
// distances, both in FP64.
Tensor var(const Tensor& x, const Dims& over = {}, double correction = 1, bool keep = false);

// (sum |x|^p)^(1/p), added up in FP64, as torch.linalg.vector_norm; the largest magnitude for
// p = inf, the smallest for -inf, the number of elements other than 0 for p = 0.
Tensor norm(const Tensor& x, double p = 2, const Dims& over = {}, bool keep = false);

}  // namespace napkin
