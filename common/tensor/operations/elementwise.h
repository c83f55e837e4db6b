// Elementwise operations: one result element from the operands' elements at the same index.
//
// Shapes broadcast (layout.h), dtypes promote as torch.result_type: tensors with dimensions decide
// before 0-dimensional ones, and those before plain numbers, unless a later one is of a higher kind
// (bool < integer < floating). The result is a new tensor on the operands' device; its dimensions
// stand in memory in the operands' order, as PyTorch's do (order.h). Strided operands are read
// where they are.
//
// Results equal PyTorch's bit for bit: fp64 and fp32 are computed in their own type; bf16 and fp16
// in FP32, rounded once; integers wrap around. What to know:
// - a + alpha b and a - alpha b are fused, as in PyTorch's vector code. Its scalar code, which does
//   the last few elements, strided bf16 and fp16, and a b of one element, rounds alpha b first.
// - In mul and div of bf16 and fp16, a second operand that is a number or has one element is taken
//   as FP32; everywhere else operands are rounded to the common dtype first.
// - + of bool is "or", * is "and"; what takes no bool says so. uint16 has all operations.
// - sqrt is rounded correctly and rsqrt is 1 / sqrt of that; PyTorch's differ in the last place.
// - exp, log, tanh, sigmoid and gelu of fp32 are those of numeric/functions.h, which says how exact
//   they are: the same bits on every machine, for bf16 and fp16 rounded once more. In fp64 they are
//   the C library's. gelu(-inf) is 0, which PyTorch makes NaN.
// - Of two zeros maximum and minimum give the second one, as PyTorch's vector code.
// - addcmul of integers takes an integer value only. where takes a bool condition only.
// - A number, or a tensor without dimensions, that an integer dtype does not hold wraps around in
//   comparisons, too, as PyTorch's does: uint8 elements are compared with 44 where 300 is given,
//   and with 255 for -1. Convert to int64 first where that is not meant. full, fill_, where and
//   clamp refuse such a number.
// - In place (Tensor::add_ and so on) the result must have the tensor's shape, and its dtype must
//   be of no higher kind: an integer tensor takes no fractions. Operands that overlap the tensor,
//   x.add_(x.t()) say, are read before it is written; PyTorch refuses or mixes them up.
//
// Observers hear of numel x (1 for + - * / and a function, 2 with alpha or for rsqrt, 3 for addcmul
// and lerp, 0 for what only compares and chooses) FLOPs, of the operands' bytes (those of an
// expanded tensor once) and of the result's.
#pragma once
#include <optional>

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
Tensor abs(const Tensor& a);
Tensor sign(const Tensor& a);  // -1, 0, 1; of NaN: 0
// a + value b c; value b is rounded, the rest fused.
Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value = 1);
// a + weight (b - a); a and b have one dtype, and so has a weight with dimensions.
Tensor lerp(const Tensor& a, const Tensor& b, Scalar weight);
Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight);

// Functions; of integers and bool: fp32.
Tensor exp(const Tensor& a);
Tensor log(const Tensor& a);
Tensor sqrt(const Tensor& a);
Tensor rsqrt(const Tensor& a);
Tensor tanh(const Tensor& a);
Tensor sigmoid(const Tensor& a);
enum class Gelu { erf, tanh };
Tensor gelu(const Tensor& a, Gelu form = Gelu::erf);  // of floating types only

// Comparisons: bool tensors.
Tensor eq(const Tensor& a, const Tensor& b);
Tensor eq(const Tensor& a, Scalar b);
Tensor ne(const Tensor& a, const Tensor& b);
Tensor ne(const Tensor& a, Scalar b);
Tensor lt(const Tensor& a, const Tensor& b);
Tensor lt(const Tensor& a, Scalar b);
Tensor le(const Tensor& a, const Tensor& b);
Tensor le(const Tensor& a, Scalar b);
Tensor gt(const Tensor& a, const Tensor& b);
Tensor gt(const Tensor& a, Scalar b);
Tensor ge(const Tensor& a, const Tensor& b);
Tensor ge(const Tensor& a, Scalar b);

// One of the operands; NaN wins.
Tensor maximum(const Tensor& a, const Tensor& b);
Tensor minimum(const Tensor& a, const Tensor& b);
Tensor relu(const Tensor& a);
// Not below `low`, then not above `high`; one of them may be missing.
Tensor clamp(const Tensor& a, std::optional<Scalar> low, std::optional<Scalar> high = {});
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, Scalar b);
Tensor where(const Tensor& condition, Scalar a, const Tensor& b);
Tensor where(const Tensor& condition, Scalar a, Scalar b);

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
