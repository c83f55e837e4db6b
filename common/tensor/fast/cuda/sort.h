// Sorting on the GPU. Returns at once; the work is in the stream.
#pragma once
#include "common/tensor/sort.h"

namespace napkin::fast::cuda {

// The first elements of x's lines along dim when sorted, as many as `to` has room for.
void sort(const Sorted& to, const Tensor& x, int dim, bool descending);

}  // namespace napkin::fast::cuda
