// Sorting on the CPU. Tensors have dimensions and elements.
#pragma once
#include "common/tensor/rules/sorted.h"

namespace napkin::cpu {

// The first elements of x's lines along dim when sorted, as many as `to` has room for.
void sort(const Sorted& to, const Tensor& x, int dim, bool descending);

}  // namespace napkin::cpu
