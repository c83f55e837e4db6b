// Sorting on the CPU. Tensors have dimensions and elements.
#pragma once
#include "common/tensor/sort.h"

namespace napkin::fast {

// The first elements of x's lines along dim when sorted, as many as `to` has room for.
void sort_on_cpu(const Sorted& to, const Tensor& x, int dim, bool descending);

}  // namespace napkin::fast
