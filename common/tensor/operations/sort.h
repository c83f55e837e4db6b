// Sorting along a dimension, and its largest or smallest elements.
//
// NaN counts as the largest number, as in PyTorch; -0 and 0 are equal (numeric/order_key.h). Equal
// elements keep their order, also in descending order and among the top k: the lowest index comes
// first, and of the elements that tie for the last place those with the lowest indices are taken.
// (PyTorch promises this of sort with stable=True only.) indices: int64.
#pragma once
#include "common/tensor/rules/sorted.h"

namespace napkin {

// Both results keep the order of x's dimensions in memory.
Sorted sort(const Tensor& x, int dim = -1, bool descending = false);

// The k largest elements along dim, the largest first, or the k smallest, the smallest first.
// Refuses k < 0 and k > the size. As in PyTorch, a 0-dimensional tensor gives its element for k = 0
// and k = 1. Both results are contiguous.
Sorted topk(const Tensor& x, std::int64_t k, int dim = -1, bool largest = true);

}  // namespace napkin
