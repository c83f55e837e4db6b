// Elementwise operations: one result element from the operands' elements at the same index.
//
// Shapes broadcast (layout.h), dtypes promote as torch.result_type: tensors with dimensions decide
// before 0-dimensional ones, and those before plain numbers, unless a later one is of a higher kind
// (bool < integer < floating). The result is a new tensor on the operands' device; its dimensions
// stand in memory in the operands' order, as PyTorch's do (walk.h). Strided operands are read where
// they are.
//
// Results equal PyTorch's bit for bit: fp64 and fp32 are computed in their own type; bf16 and fp16
// in FP32, rounded once; integers wrap around. What to know:
// - a + alpha b and a - alpha b are fused, as in PyTorch's vector code. Its scalar code, which does
//   the last few elements, strided bf16 and fp16, and a b of one element, rounds alpha b first.
// - In mul and div of bf16 and fp16, a second operand that is a number or has one element is taken
//   as FP32; everywhere else operands are rounded to the common dtype first.
// - sub and neg of bool are refused; + of bool is "or", * is "and". uint16 has all operations.
// - In place (Tensor::add_ and so on) the result must have the tensor's shape, and its dtype must
//   be of no higher kind: an integer tensor takes no fractions. Operands that overlap the tensor,
//   x.add_(x.t()) say, are read before it is written; PyTorch refuses or mixes them up.
//
// Observers hear of numel x (1 for + - * /, 2 with alpha) FLOPs, of the operands' bytes (those of
// an expanded tensor once) and of the result's.
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
