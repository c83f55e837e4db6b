// Picking and adding by position on the CPU. Indices are int64 or int32, of any strides; those of
// whole slices are repeated along the other dimensions with strides of 0. Tensors have elements.
#pragma once
#include "common/tensor/rules/sums.h"
#include "common/tensor/tensor.h"

namespace napkin::cpu {

// Whether all are in [0, size - 1].
bool all_in_range(const Tensor& index, std::int64_t size);

// result[i] = x[i, index[i] in place of i_dim]; x has the shape of index but along dim. Returns
// whether all indices were in range; else the result is of no use.
bool gather(const Tensor& result, const Tensor& x, int dim, const Tensor& index);

// x[i, index[i] in place of i_dim] += source[i]; index and source have one shape, x but along dim.
// Indices are in range.
void scatter_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source, Order order);

// What scatter_add chooses from. Slices: an index of whole slices; sums of rows of elements
// that stand side by side.
void add_slices(const Tensor& x, int dim, const Tensor& list, const Tensor& source);
// One element after the other, line by line along dim.
void add_lines(const Tensor& x, int dim, const Tensor& index, const Tensor& source);
void add_racy(const Tensor& x, int dim, const Tensor& index, const Tensor& source);

}  // namespace napkin::cpu
