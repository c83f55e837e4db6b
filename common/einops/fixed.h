// rearrange, reduce, repeat and einsum whose patterns the compiler has read (lecture 4.2):
//
//   rearrange<"b s (h d) -> b h s d">(x, axis<"h"> = 8);
//   einsum<"b h q d, b h k d -> b h q k">(query, key);
//
// A wrong pattern, a size for an axis that it does not have, or one that is missing, does not
// compile. What depends on the shapes is refused at run time, by the functions that take the
// pattern as a string, which these call. Array is Tensor, or what has functions of the same names.
#pragma once
#include <concepts>
#include <initializer_list>
#include <type_traits>

#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/einops/fixed_pattern.h"

namespace napkin {

template <Text pattern, class Array, IsFixedSize... Sizes>
auto rearrange(const Array& x, Sizes... sizes) {
  using checked [[maybe_unused]] =
      typename decltype(einops::judged<pattern, einops::Form::rearrange,
                                       Sizes...>())::right_pattern;
  return rearrange(x, pattern.view(), {AxisSize(sizes)...});
}

template <Text pattern, class Array, IsFixedSize... Sizes>
auto reduce(const Array& x, Reduction how, Sizes... sizes) {
  using checked [[maybe_unused]] =
      typename decltype(einops::judged<pattern, einops::Form::reduce, Sizes...>())::right_pattern;
  return reduce(x, pattern.view(), how, {AxisSize(sizes)...});
}

template <Text pattern, class Array, IsFixedSize... Sizes>
auto repeat(const Array& x, Sizes... sizes) {
  using checked [[maybe_unused]] =
      typename decltype(einops::judged<pattern, einops::Form::repeat, Sizes...>())::right_pattern;
  return repeat(x, pattern.view(), {AxisSize(sizes)...});
}

// One array for each operand of the pattern.
template <Text pattern, class First, class... Others>
auto einsum(const First& first, const Others&... others) {
  using checked [[maybe_unused]] =
      typename decltype(einops::judged<pattern, einops::Form::einsum>())::right_pattern;
  static_assert(einops::operands<pattern> == 1 + sizeof...(others),
                "einsum takes as many arrays as the left side of its pattern has operands");
  using Listed = std::conditional_t<std::derived_from<First, Tensor>, EinsumOperand, First>;
  return einsum(std::initializer_list<Listed>{first, others...}, pattern.view());
}

}  // namespace napkin
