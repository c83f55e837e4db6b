// How the reference reads and makes tensors: one element, at one index, at a time.
#pragma once
#include <functional>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin::reference {

// A Scalar holds a bool, an int64 or a double: an element of any dtype, exactly.
using Numbers = std::vector<Scalar>;

// The element of x at an index of a result that x broadcasts to: sizes line up from the right, and
// where x has size 1 its only element stands for all.
Scalar at(const Tensor& x, const Dims& index);

// Writes the number, converted to x's dtype by the rule of numeric/convert.h.
void put(const Tensor& x, const Dims& index, Scalar value);

// What becomes of a number that is stored as that dtype and read again.
Scalar rounded(Scalar value, DType dtype);

// Calls f with every index of the shape: the last dimension runs fastest.
void each_index(const Shape& shape, const std::function<void(const Dims&)>& f);

// The tensor whose element at each index is f(index).
Tensor build(const Shape& shape, DType dtype, const std::function<Scalar(const Dims&)>& f);

// In PyTorch a 0-dimensional tensor counts as one of shape (1) where a dimension is named.
Tensor with_a_dimension(const Tensor& x);

// What sums are added up in: fp64 for floating types, else int64, modulo 2^64 (its lower bits are
// what narrower integers would give).
DType sum_type(DType dtype);
Scalar plus(Scalar a, Scalar b);
Scalar times(Scalar a, Scalar b);

}  // namespace napkin::reference
