// Elementwise functions of Variables: as those of tensors (operations/elementwise.h), with
// gradients. Where a function has no derivative, as in PyTorch: 0 for abs and relu at 0 and for
// clamp at its bounds, half to each side where maximum and minimum tie.
#pragma once
#include <optional>

#include "common/autograd/variable.h"

namespace napkin::autograd {

Variable add(const Variable& a, const Variable& b, Scalar alpha = 1);
Variable sub(const Variable& a, const Variable& b, Scalar alpha = 1);
Variable mul(const Variable& a, const Variable& b);
Variable div(const Variable& a, const Variable& b);
Variable add(const Variable& a, Scalar b);
Variable sub(const Variable& a, Scalar b);
Variable mul(const Variable& a, Scalar b);
Variable div(const Variable& a, Scalar b);
Variable neg(const Variable& a);
Variable abs(const Variable& a);
Variable sign(const Variable& a);
Variable addcmul(const Variable& a, const Variable& b, const Variable& c, Scalar value = 1);
Variable lerp(const Variable& a, const Variable& b, Scalar weight);
Variable lerp(const Variable& a, const Variable& b, const Variable& weight);

Variable exp(const Variable& a);
Variable log(const Variable& a);
Variable sqrt(const Variable& a);
Variable rsqrt(const Variable& a);
Variable tanh(const Variable& a);
Variable sigmoid(const Variable& a);
Variable relu(const Variable& a);
Variable gelu(const Variable& a, Gelu form = Gelu::erf);

Variable clamp(const Variable& a, std::optional<Scalar> low, std::optional<Scalar> high = {});
Variable maximum(const Variable& a, const Variable& b);
Variable minimum(const Variable& a, const Variable& b);
Variable where(const Tensor& condition, const Variable& a, const Variable& b);

inline Variable operator+(const Variable& a, const Variable& b) { return add(a, b); }
inline Variable operator-(const Variable& a, const Variable& b) { return sub(a, b); }
inline Variable operator*(const Variable& a, const Variable& b) { return mul(a, b); }
inline Variable operator/(const Variable& a, const Variable& b) { return div(a, b); }
inline Variable operator+(const Variable& a, Scalar b) { return add(a, b); }
inline Variable operator-(const Variable& a, Scalar b) { return sub(a, b); }
inline Variable operator*(const Variable& a, Scalar b) { return mul(a, b); }
inline Variable operator/(const Variable& a, Scalar b) { return div(a, b); }
inline Variable operator*(Scalar a, const Variable& b) { return mul(b, a); }
inline Variable operator+(Scalar a, const Variable& b) { return add(b, a); }
inline Variable operator-(const Variable& a) { return neg(a); }

}  // namespace napkin::autograd
