// At each index of the result: read the operands' elements there, apply the rule, store what comes
// out. Which dtype things are converted to on the way is most of the work.
#include <utility>

#include "common/tensor/reference/elements.h"
#include "common/tensor/reference/reference.h"
#include "common/tensor/rules/elementwise.h"

namespace napkin::reference {
namespace {

Shape broadcast_all(Inputs inputs) {
  Shape shape;
  for (const Input& x : inputs)
    if (x.tensor != nullptr) shape = broadcast(shape, x.tensor->shape());
  return shape;
}

Scalar element(const Input& x, const Dims& index) {
  return x.tensor != nullptr ? at(*x.tensor, index) : x.number;
}

// A rule applied to numbers of a type that it computes in: double, float or int64.
template <class Rule, class T>
Scalar computed(const Numbers& x) {
  const auto number = [&](std::size_t k) {
    if constexpr (std::is_integral_v<T>)
      return x[k].to_int64();
    else
      return static_cast<T>(x[k].to_double());
  };
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return Rule{}(number(k)...);
  }(std::make_index_sequence<Rule::operands>());
}

template <class Rule>
Scalar computed_as(DType common, const Numbers& x) {
  if (common == DType::fp64) return computed<Rule, double>(x);
  if constexpr (Rule::kind != Kind::real)
    if (!is_floating(common)) return computed<Rule, std::int64_t>(x);
  return computed<Rule, float>(x);
}

// Each operand is converted to the common dtype first, the result at the end.
template <class Rule>
Tensor elementwise(std::initializer_list<Input> list) {
  const Inputs inputs(list.begin(), list.size());
  DType common = result_type(inputs);
  if (Rule::kind == Kind::real && !is_floating(common)) common = DType::fp32;
  const DType result = Rule::kind == Kind::comparison ? DType::boolean : common;
  return build(broadcast_all(inputs), result, [&](const Dims& i) {
    Numbers x;
    for (const Input& input : inputs) {
      const auto k = static_cast<int>(x.size());
      x.push_back(rounded(element(input, i), rounded_to(rule_info<Rule>, k, input, common)));
    }
    return computed_as<Rule>(common, x);
  });
}

// A bound that no integer of the dtype passes is as good as the dtype's own end.
Scalar bound(Scalar value, DType common) {
  return visit(common, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::Type;
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T>)
      return std::clamp<std::int64_t>(value.to_int64(), Limits::min(), Limits::max());
    return value;
  });
}

}  // namespace

Tensor add(Input a, Input b, Scalar alpha) {
  return elementwise<AddScaled>({a, b, Input::parameter(alpha)});
}
Tensor sub(Input a, Input b, Scalar alpha) {
  return elementwise<SubScaled>({a, b, Input::parameter(alpha)});
}
Tensor mul(Input a, Input b) { return elementwise<Mul>({a, b}); }
Tensor div(Input a, Input b) { return elementwise<Div>({a, b}); }
Tensor neg(Input a) { return elementwise<Neg>({a}); }
Tensor abs(Input a) { return elementwise<Abs>({a}); }
Tensor sign(Input a) { return elementwise<Sign>({a}); }
Tensor exp(Input a) { return elementwise<Exp>({a}); }
Tensor log(Input a) { return elementwise<Log>({a}); }
Tensor sqrt(Input a) { return elementwise<Sqrt>({a}); }
Tensor rsqrt(Input a) { return elementwise<Rsqrt>({a}); }
Tensor tanh(Input a) { return elementwise<Tanh>({a}); }
Tensor sigmoid(Input a) { return elementwise<Sigmoid>({a}); }
Tensor relu(Input a) { return elementwise<Relu>({a}); }
Tensor gelu(Input a) { return elementwise<GeluErf>({a}); }
Tensor gelu_tanh(Input a) { return elementwise<GeluTanh>({a}); }
Tensor maximum(Input a, Input b) { return elementwise<Maximum>({a, b}); }
Tensor minimum(Input a, Input b) { return elementwise<Minimum>({a, b}); }
Tensor eq(Input a, Input b) { return elementwise<Equal>({a, b}); }
Tensor ne(Input a, Input b) { return elementwise<NotEqual>({a, b}); }
Tensor lt(Input a, Input b) { return elementwise<Less>({a, b}); }
Tensor le(Input a, Input b) { return elementwise<LessEqual>({a, b}); }
Tensor gt(Input a, Input b) { return elementwise<Greater>({a, b}); }
Tensor ge(Input a, Input b) { return elementwise<GreaterEqual>({a, b}); }
Tensor lerp(Input a, Input b, Input weight) { return elementwise<Lerp>({a, b, weight}); }
Tensor addcmul(Input a, Input b, Input c, Scalar value) {
  return elementwise<Addcmul>({a, b, c, Input::parameter(value)});
}

Tensor where(const Tensor& condition, Input a, Input b) {
  const Input inputs[] = {Input::parameter(condition), a, b};
  return build(broadcast_all(inputs), result_type(inputs), [&](const Dims& i) {
    return at(condition, i).to_bool() ? element(a, i) : element(b, i);
  });
}

Tensor clamp(Input a, std::optional<Scalar> low, std::optional<Scalar> high) {
  const Input inputs[] = {a, low ? *low : *high, high ? *high : *low};
  const DType common = result_type(inputs);
  if (low && high) return elementwise<Clamp>({a, bound(*low, common), bound(*high, common)});
  if (low) return elementwise<ClampLow>({a, bound(*low, common)});
  return elementwise<ClampHigh>({a, bound(*high, common)});
}

}  // namespace napkin::reference
