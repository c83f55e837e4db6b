#include "common/tensor/operations/elementwise.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "common/tensor/number.h"
#include "common/tensor/operations/apply.h"
#include "common/tensor/operations/table.h"

namespace napkin {
namespace {

// Whether the result is a new tensor or goes into the first input; then the functions below return
// an undefined one.
enum class Target { apart, in_place };

Tensor applied(Target target, const RuleInfo& rule, std::initializer_list<Input> inputs) {
  if (target == Target::apart) return apply(rule, inputs);
  apply_in_place(rule, inputs);
  return {};
}

DType common_type(std::initializer_list<Input> inputs) {
  return result_type(Inputs(inputs.begin(), inputs.size()));
}

// Whether a and b are added or subtracted as they are. alpha is an integer for integers, a bool
// only for bool.
bool is_plain(Scalar alpha, const Input& a, const Input& b, const char* what) {
  if (alpha.is_integer() && alpha == Scalar(1)) return true;
  const DType common = common_type({a, b});
  if (alpha.is_floating() && !is_floating(common))
    fail("{}: alpha = {} with {} operands: an integer is needed", what, to_string(alpha),
         name(common));
  if (alpha.is_bool() && common != DType::boolean)
    fail("{}: a bool alpha goes with bool operands, not {}", what, name(common));
  check_fits(alpha, common, what);
  return alpha == Scalar(1);
}

Tensor scaled_sum(Target target, const Tensor& a, const Tensor& b, Scalar alpha) {
  if (is_plain(alpha, a, b, "add")) return applied(target, rule_info<Add>, {a, b});
  return applied(target, rule_info<AddScaled>, {a, b, Input::parameter(alpha)});
}

// A bool operand is refused whatever the other one is.
Tensor scaled_difference(Target target, const Tensor& a, const Input& b, Scalar alpha = 1) {
  const bool is_bool =
      b.tensor != nullptr ? b.tensor->dtype() == DType::boolean : b.number.is_bool();
  check_defined(Op::sub, is_bool ? DType::boolean : a.dtype(), a.device());
  if (is_plain(alpha, a, b, "sub")) return applied(target, rule_info<Sub>, {a, b});
  return applied(target, rule_info<SubScaled>, {a, b, Input::parameter(alpha)});
}

Tensor sum_with_product(Target target, const Tensor& a, const Tensor& b, const Tensor& c,
                        Scalar value) {
  const DType common = common_type({a, b, c});
  check(is_floating(common) || !value.is_floating(),
        "addcmul: value = {} with {} operands: an integer is needed", to_string(value),
        name(common));
  const bool is_half = common == DType::bf16 || common == DType::fp16;
  check_fits(value, is_half ? DType::fp32 : common, "addcmul");
  return applied(target, rule_info<Addcmul>, {a, b, c, Input::parameter(value)});
}

Tensor between(Target target, const Tensor& a, const Tensor& b, const Input& weight) {
  check_defined(Op::lerp, a.dtype(), a.device());
  check(a.dtype() == b.dtype(), "lerp: from {} to {} elements: one dtype is needed",
        name(a.dtype()), name(b.dtype()));
  if (weight.tensor != nullptr)
    check(weight.tensor->rank() == 0 || weight.tensor->dtype() == a.dtype(),
          "lerp: {} weights of {} elements: one dtype is needed", name(weight.tensor->dtype()),
          name(a.dtype()));
  else
    check_fits(weight.number, a.dtype() == DType::fp64 ? DType::fp64 : DType::fp32, "lerp");
  return applied(target, rule_info<Lerp>, {a, b, weight});
}

// A bound as a number of the common dtype. One that every integer of the dtype keeps becomes the
// dtype's end, one that none keeps is refused.
Scalar bound(Scalar value, DType common, bool is_low) {
  if (is_floating(common)) {
    check_fits(value, common, "clamp");
    return value;
  }
  return visit(common, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>) {
      const std::int64_t first = std::numeric_limits<T>::min(),
                         last = std::numeric_limits<T>::max();
      const std::int64_t given = value.to_int64();
      check(is_low ? given <= last : given >= first, "clamp: no {} number is {} {}", name(common),
            is_low ? "as large as" : "as small as", given);
      return std::clamp(given, first, last);
    }
    return value;
  });
}

Tensor clamped(Target target, const Tensor& a, std::optional<Scalar> low,
               std::optional<Scalar> high) {
  check(low || high, "clamp: neither a lower nor an upper bound is given");
  const DType common =
      low && high ? common_type({a, *low, *high}) : common_type({a, low ? *low : *high});
  check_defined(Op::clamp, common, a.device());
  if (low) low = bound(*low, common, true);
  if (high) high = bound(*high, common, false);
  if (low && high) return applied(target, rule_info<Clamp>, {a, *low, *high});
  if (low) return applied(target, rule_info<ClampLow>, {a, *low});
  return applied(target, rule_info<ClampHigh>, {a, *high});
}

Tensor chosen(const Tensor& condition, const Input& a, const Input& b) {
  check(condition.dtype() == DType::boolean, "where: a condition of {} elements: bool is needed",
        name(condition.dtype()));
  const DType common = common_type({a, b});
  for (const Input& input : {a, b})
    if (input.tensor == nullptr && !is_floating(common)) check_fits(input.number, common, "where");
  return apply(rule_info<Where>, {Input::parameter(condition), a, b});
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, Scalar alpha) {
  return scaled_sum(Target::apart, a, b, alpha);
}
Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha) {
  return scaled_difference(Target::apart, a, b, alpha);
}
Tensor mul(const Tensor& a, const Tensor& b) { return apply(rule_info<Mul>, {a, b}); }
Tensor div(const Tensor& a, const Tensor& b) { return apply(rule_info<Div>, {a, b}); }
Tensor add(const Tensor& a, Scalar b) { return apply(rule_info<Add>, {a, b}); }
Tensor sub(const Tensor& a, Scalar b) { return scaled_difference(Target::apart, a, b); }
Tensor mul(const Tensor& a, Scalar b) { return apply(rule_info<Mul>, {a, b}); }
Tensor div(const Tensor& a, Scalar b) { return apply(rule_info<Div>, {a, b}); }
Tensor neg(const Tensor& a) { return apply(rule_info<Neg>, {a}); }
Tensor abs(const Tensor& a) { return apply(rule_info<Abs>, {a}); }
Tensor sign(const Tensor& a) { return apply(rule_info<Sign>, {a}); }
Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value) {
  return sum_with_product(Target::apart, a, b, c, value);
}
Tensor lerp(const Tensor& a, const Tensor& b, Scalar weight) {
  return between(Target::apart, a, b, weight);
}
Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight) {
  return between(Target::apart, a, b, weight);
}

Tensor exp(const Tensor& a) { return apply(rule_info<Exp>, {a}); }
Tensor log(const Tensor& a) { return apply(rule_info<Log>, {a}); }
Tensor sqrt(const Tensor& a) { return apply(rule_info<Sqrt>, {a}); }
Tensor rsqrt(const Tensor& a) { return apply(rule_info<Rsqrt>, {a}); }
Tensor tanh(const Tensor& a) { return apply(rule_info<Tanh>, {a}); }
Tensor sigmoid(const Tensor& a) { return apply(rule_info<Sigmoid>, {a}); }
Tensor gelu(const Tensor& a, Gelu form) {
  return form == Gelu::erf ? apply(rule_info<GeluErf>, {a}) : apply(rule_info<GeluTanh>, {a});
}

Tensor eq(const Tensor& a, const Tensor& b) { return apply(rule_info<Equal>, {a, b}); }
Tensor eq(const Tensor& a, Scalar b) { return apply(rule_info<Equal>, {a, b}); }
Tensor ne(const Tensor& a, const Tensor& b) { return apply(rule_info<NotEqual>, {a, b}); }
Tensor ne(const Tensor& a, Scalar b) { return apply(rule_info<NotEqual>, {a, b}); }
Tensor lt(const Tensor& a, const Tensor& b) { return apply(rule_info<Less>, {a, b}); }
Tensor lt(const Tensor& a, Scalar b) { return apply(rule_info<Less>, {a, b}); }
Tensor le(const Tensor& a, const Tensor& b) { return apply(rule_info<LessEqual>, {a, b}); }
Tensor le(const Tensor& a, Scalar b) { return apply(rule_info<LessEqual>, {a, b}); }
Tensor gt(const Tensor& a, const Tensor& b) { return apply(rule_info<Greater>, {a, b}); }
Tensor gt(const Tensor& a, Scalar b) { return apply(rule_info<Greater>, {a, b}); }
Tensor ge(const Tensor& a, const Tensor& b) { return apply(rule_info<GreaterEqual>, {a, b}); }
Tensor ge(const Tensor& a, Scalar b) { return apply(rule_info<GreaterEqual>, {a, b}); }

Tensor maximum(const Tensor& a, const Tensor& b) { return apply(rule_info<Maximum>, {a, b}); }
Tensor minimum(const Tensor& a, const Tensor& b) { return apply(rule_info<Minimum>, {a, b}); }
Tensor relu(const Tensor& a) { return apply(rule_info<Relu>, {a}); }
Tensor clamp(const Tensor& a, std::optional<Scalar> low, std::optional<Scalar> high) {
  return clamped(Target::apart, a, low, high);
}
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return chosen(condition, a, b);
}
Tensor where(const Tensor& condition, const Tensor& a, Scalar b) { return chosen(condition, a, b); }
Tensor where(const Tensor& condition, Scalar a, const Tensor& b) { return chosen(condition, a, b); }
Tensor where(const Tensor& condition, Scalar a, Scalar b) { return chosen(condition, a, b); }

bool equal(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return false;
  check(a.device() != Device::meta, "equal: meta tensors have no elements to compare");
  const Tensor same = eq(a, b).contiguous().to(Device::cpu);
  const bool* first = same.data<bool>();
  return std::all_of(first, first + same.numel(), [](bool e) { return e; });
}

Tensor& Tensor::add_(const Tensor& other, Scalar alpha) {
  scaled_sum(Target::in_place, *this, other, alpha);
  return *this;
}

Tensor& Tensor::sub_(const Tensor& other, Scalar alpha) {
  scaled_difference(Target::in_place, *this, other, alpha);
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
  scaled_difference(Target::in_place, *this, value);
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

Tensor& Tensor::addcmul_(const Tensor& b, const Tensor& c, Scalar value) {
  sum_with_product(Target::in_place, *this, b, c, value);
  return *this;
}

Tensor& Tensor::lerp_(const Tensor& other, Scalar weight) {
  between(Target::in_place, *this, other, weight);
  return *this;
}

Tensor& Tensor::clamp_(std::optional<Scalar> low, std::optional<Scalar> high) {
  clamped(Target::in_place, *this, low, high);
  return *this;
}

}  // namespace napkin
