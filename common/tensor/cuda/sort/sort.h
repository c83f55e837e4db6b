// Sorting on the GPU. Returns at once; the work is in the stream.
#pragma once
#include "common/tensor/rules/sorted.h"

namespace napkin::cuda {

// The first elements of x's lines along dim when sorted, as many as `to` has room for.
void sort(const Sorted& to, const Tensor& x, int dim, bool descending);

}  // namespace napkin::cuda
