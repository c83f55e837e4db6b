// Elementwise operations: one result element from the operands' elements at the same index.
//
// Shapes broadcast (layout.h), dtypes promote as torch.result_type: tensors with dimensions decide
// before 0-dimensional ones, and those before plain numbers, unless a later one is of a higher kind
// (bool < integer < floating). The result is a new tensor on the operands' device, laid out like
// the first operand that is dense and of the result's shape, else contiguous.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

// The dtype of an operation on both, as torch.result_type.
DType result_type(const Tensor& a, const Tensor& b);
DType result_type(const Tensor& a, Scalar b);

Tensor add(const Tensor& a, const Tensor& b, Scalar alpha = 1);  // a + alpha b, fused as PyTorch's
Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha = 1);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);  // of integers: fp32
Tensor add(const Tensor& a, Scalar b);
Tensor sub(const Tensor& a, Scalar b);
Tensor mul(const Tensor& a, Scalar b);
Tensor div(const Tensor& a, Scalar b);
Tensor neg(const Tensor& a);
// Whether the elements are equal: a bool tensor.
Tensor eq(const Tensor& a, const Tensor& b);
Tensor eq(const Tensor& a, Scalar b);

// Whether shapes and all elements are equal (NaN equals nothing), as torch.equal.
bool equal(const Tensor& a, const Tensor& b);

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator+(const Tensor& a, Scalar b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, Scalar b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, Scalar b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, Scalar b) { return div(a, b); }
inline Tensor operator*(Scalar a, const Tensor& b) { return mul(b, a); }
inline Tensor operator+(Scalar a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Tensor& a) { return neg(a); }

}  // namespace napkin
