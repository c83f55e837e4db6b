// Patterns as template arguments, rearrange<"b s -> s b">: what is wrong with one stops the
// compiler, whose error shows the reason and the axis that is to blame.
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/einops/pattern_parser.h"
#include "common/einops/recipe.h"

namespace napkin {

// A string as a template argument.
template <std::size_t size>
struct Text {
  char letters[size]{};
  consteval Text(const char (&text)[size]) { std::copy_n(text, size, letters); }
  consteval explicit Text(std::string_view text) { std::ranges::copy(text, letters); }
  constexpr std::string_view view() const { return {letters, size - 1}; }
};

// The size of an axis, whose name the compiler knows: axis<"h"> = 8.
template <Text text>
struct FixedSize {
  static constexpr std::string_view name = text.view();
  std::int64_t size;
  constexpr operator AxisSize() const { return {name, size}; }
};
template <Text text>
struct FixedAxis {
  constexpr FixedSize<text> operator=(std::int64_t size) const { return {size}; }
};
template <Text text>
inline constexpr FixedAxis<text> axis{};

template <class T>
concept IsFixedSize = std::convertible_to<T, AxisSize> && requires { T::name; };

namespace einops {

// What a pattern is: right, or wrong for a reason that some axis is to blame for. A compiler that
// asks a wrong one for its `right_pattern` names both: "no type named right_pattern in
// WrongPattern<Reason::size_not_used, Text{"heads"}>".
struct RightPattern {
  using right_pattern = void;
};
template <Reason reason, Text axis>
struct WrongPattern {};

template <class... Sizes>
inline constexpr std::array<std::string_view, sizeof...(Sizes)> names_of{Sizes::name...};

// Of a pattern with sizes given for the axes Sizes::name.
template <Text text, Form form, class... Sizes>
consteval auto judged() {
  constexpr Problem problem = parse_pattern(text.view(), form, names_of<Sizes...>).problem;
  if constexpr (problem.reason == Reason::none)
    return RightPattern{};
  else
    return WrongPattern<problem.reason, Text<problem.axis.size() + 1>(problem.axis)>{};
}

// Complains of a wrong pattern; its type is there all the same, so that no other error follows.
template <class Judged>
struct Demand {
  using checked = typename Judged::right_pattern;
  using type = void;
};

template <Text text>
inline constexpr int operands = parse_pattern(text.view(), Form::einsum).side_count - 1;

}  // namespace einops
}  // namespace napkin
