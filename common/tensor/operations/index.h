// Elements picked and added by position: index_select, gather, scatter_add, index_add.
//
// Names, shapes and refusals are PyTorch's. Index tensors are int64 or int32; an index below 0 or
// past the end is refused, with its value and position, before anything is written. A 0-dimensional
// tensor counts as one of shape [1]. Results are contiguous.
//
// What comes to one place is added in the order of the index, onto the place's own value. After
// every 1024 positions along the dimension a new sum is begun at 0, and these sums are added up in
// order: rounding errors stay small, and a place that is hit a million times keeps a GPU busy. Up
// to 1024 positions this is what PyTorch does on one thread, to the bit; bf16 and fp16 however are
// added up in FP32 and rounded once (PyTorch rounds after every addition, which stands still at
// 256). Integers wrap around, of bool elements the sum is "or". Same bits at any number of threads.
//
// Order::racy is there to be shown (lecture 10.5): whoever comes first adds first, in the dtype
// itself, by atomic operations.
//
// Differences: an index without elements must fit in shape, too; indices into a tensor without
// elements are checked.
#pragma once
#include "common/tensor/rules/sums.h"
#include "common/tensor/tensor.h"

namespace napkin {

// The slices of x along dim with those numbers: embedding lookup. index: (N) or 0-dimensional.
Tensor index_select(const Tensor& x, int dim, const Tensor& index);

// result[i][j] = x[i][index[i][j]] for dim 1. index: as many dimensions as x, each but dim at most
// as large; the result has its shape.
Tensor gather(const Tensor& x, int dim, const Tensor& index);

// x[i][index[i][j]] += source[i][j] for dim 1, in a copy of x. source: x's dtype, at least as large
// as index in each dimension.
Tensor scatter_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source,
                   Order order = Order::fixed);
Tensor& scatter_add_(Tensor& x, int dim, const Tensor& index, const Tensor& source,
                     Order order = Order::fixed);

// The slices of source along dim, added to those of x with the numbers in index (N), in a copy of
// x: the gradient of index_select. source: x's dtype, and its shape but for N along dim.
Tensor index_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source,
                 Order order = Order::fixed);
Tensor& index_add_(Tensor& x, int dim, const Tensor& index, const Tensor& source,
                   Order order = Order::fixed);

}  // namespace napkin
