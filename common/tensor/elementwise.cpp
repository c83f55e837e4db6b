#include "common/tensor/elementwise.h"

#include <algorithm>

#include "common/tensor/number.h"
#include "common/tensor/operands.h"

namespace napkin {
namespace {

// alpha of add and sub: an integer for integers, a bool only for bool.
bool is_one(Scalar alpha, DType common, const char* what) {
  if (alpha.is_floating() && !is_floating(common))
    fail("{}: alpha = {} with {} operands: an integer is needed", what, to_string(alpha),
         name(common));
  if (alpha.is_bool() && common != DType::boolean)
    fail("{}: a bool alpha goes with bool operands, not {}", what, name(common));
  check_fits(alpha, common, what);
  return alpha == Scalar(1);
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, Scalar alpha) {
  if (is_one(alpha, result_type(a, b), "add")) return apply(rule_info<Add>, {a, b});
  return apply(rule_info<AddScaled>, {a, b, Input::parameter(alpha)});
}

Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha) {
  if (is_one(alpha, result_type(a, b), "sub")) return apply(rule_info<Sub>, {a, b});
  return apply(rule_info<SubScaled>, {a, b, Input::parameter(alpha)});
}

Tensor mul(const Tensor& a, const Tensor& b) { return apply(rule_info<Mul>, {a, b}); }
Tensor div(const Tensor& a, const Tensor& b) { return apply(rule_info<Div>, {a, b}); }
Tensor add(const Tensor& a, Scalar b) { return apply(rule_info<Add>, {a, b}); }
Tensor sub(const Tensor& a, Scalar b) { return apply(rule_info<Sub>, {a, b}); }
Tensor mul(const Tensor& a, Scalar b) { return apply(rule_info<Mul>, {a, b}); }
Tensor div(const Tensor& a, Scalar b) { return apply(rule_info<Div>, {a, b}); }
Tensor neg(const Tensor& a) { return apply(rule_info<Neg>, {a}); }
Tensor eq(const Tensor& a, const Tensor& b) { return apply(rule_info<Equal>, {a, b}); }
Tensor eq(const Tensor& a, Scalar b) { return apply(rule_info<Equal>, {a, b}); }

bool equal(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return false;
  check(a.device() != Device::meta, "equal: meta tensors have no elements to compare");
  const Tensor same = eq(a, b).contiguous().to(Device::cpu);
  const bool* first = same.data<bool>();
  return std::all_of(first, first + same.numel(), [](bool e) { return e; });
}

Tensor& Tensor::add_(const Tensor& other, Scalar alpha) {
  if (is_one(alpha, result_type(*this, other), "add"))
    apply_in_place(rule_info<Add>, {*this, other});
  else
    apply_in_place(rule_info<AddScaled>, {*this, other, Input::parameter(alpha)});
  return *this;
}

Tensor& Tensor::sub_(const Tensor& other, Scalar alpha) {
  if (is_one(alpha, result_type(*this, other), "sub"))
    apply_in_place(rule_info<Sub>, {*this, other});
  else
    apply_in_place(rule_info<SubScaled>, {*this, other, Input::parameter(alpha)});
  return *this;
}

Tensor& Tensor::mul_(const Tensor& other) {
  apply_in_place(rule_info<Mul>, {*this, other});
  return *this;
}

Tensor& Tensor::div_(const Tensor& other) {
  apply_in_place(rule_info<Div>, {*this, other});
  return *this;
}

Tensor& Tensor::add_(Scalar value) {
  apply_in_place(rule_info<Add>, {*this, value});
  return *this;
}

Tensor& Tensor::sub_(Scalar value) {
  apply_in_place(rule_info<Sub>, {*this, value});
  return *this;
}

Tensor& Tensor::mul_(Scalar value) {
  apply_in_place(rule_info<Mul>, {*this, value});
  return *this;
}

Tensor& Tensor::div_(Scalar value) {
  apply_in_place(rule_info<Div>, {*this, value});
  return *this;
}

}  // namespace napkin
