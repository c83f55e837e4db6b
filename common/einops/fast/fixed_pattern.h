// Patterns as template arguments, rearrange<"b s -> s b">: what is wrong with one stops the
// compiler, whose error shows the reason and the letters of the axis that is to blame.
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "common/einops/recipe.h"

namespace napkin {

// A string as a template argument.
template <std::size_t size>
struct Text {
  char letters[size]{};
  consteval Text(const char (&text)[size]) { std::copy_n(text, size, letters); }
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

// Compilers show a class such as Text as numbers, but a list of characters as 'h', 'e', 'a', 'd'.
template <Reason reason, char... axis>
struct WrongPattern {
  static_assert(reason == Reason::none,
                "wrong pattern: the reason and the axis stand in WrongPattern<...>");
};

template <class... Sizes>
inline constexpr std::array<std::string_view, sizeof...(Sizes)> names_of{Sizes::name...};

template <Text text, Form form, class... Sizes>
inline constexpr Problem problem_of = parse_pattern(text.view(), form, names_of<Sizes...>).problem;

template <const Problem& problem, std::size_t... i>
constexpr void refuse(std::index_sequence<i...>) {
  static_assert(sizeof(WrongPattern<problem.reason, problem.axis[i]...>) > 0);
}

// Compiles only where the pattern is right, with sizes given for the axes Sizes::name.
template <Text text, Form form, class... Sizes>
constexpr bool require_pattern() {
  constexpr const Problem& problem = problem_of<text, form, Sizes...>;
  if constexpr (problem.reason != Reason::none)
    refuse<problem>(std::make_index_sequence<problem.axis.size()>());
  return true;
}

template <Text text>
inline constexpr int operands = parse_pattern(text.view(), Form::einsum).side_count - 1;

}  // namespace einops
}  // namespace napkin
