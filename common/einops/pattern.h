// Patterns of named axes, "b s (h d) -> b h s d", read (pattern_parser.h) at run time or by the
// compiler.
//
// The words and rules of einops 0.8.2 (Rogozhnikov 2022; lecture 4.2): names, numbers, 1, "...",
// and parentheses for a dimension that is made of several axes. Nothing here allocates, so that
// parse_pattern (pattern_parser.h) can be a constant expression; names are parts of the text, which
// must outlive them.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace napkin::einops {

// What a pattern is for. `shape` is one side alone, where "_" stands for axes not asked for;
// `annotation` too, and names may repeat.
enum class Form : std::uint8_t { rearrange, reduce, repeat, einsum, shape, annotation };

inline constexpr std::string_view ellipsis = "...";
inline constexpr int max_axes = 128;
inline constexpr int max_sides = 33;  // 32 operands and the result

struct Axis {
  std::string_view name;   // "..." for the ellipsis, digits for a number
  std::int64_t size = -1;  // of a number
  int dimension = 0;       // of its side as written, the ellipsis being one
  int position = 0;        // in the text, in bytes

  constexpr bool is_number() const { return size >= 0; }
  constexpr bool is_ellipsis() const { return name == ellipsis; }
};

// Axes first <= i < last of the pattern. A 1, or (), is a dimension without axes.
struct Side {
  int first = 0;
  int last = 0;
  int dimensions = 0;  // as written, the ellipsis being one
  int ellipsis = -1;   // which axis it is
  bool ellipsis_in_parentheses = false;
};

enum class Reason : std::uint8_t {
  none,
  no_arrow,
  two_arrows,
  unknown_character,
  stray_dots,
  two_ellipses,
  nested_parentheses,
  unbalanced_parentheses,
  invalid_name,
  invalid_number,
  repeated_axis,
  too_many_axes,
  ellipsis_in_parentheses,
  ellipsis_only_left,
  ellipsis_only_right,
  axis_only_left,
  axis_only_right,
  number_not_allowed,
  group_not_allowed,
  size_missing,
  size_not_used,
  size_given_twice,
  two_unknown_sizes,
};

// Why a pattern is refused: `axis` is the name, number or character that is to blame.
struct Problem {
  Reason reason = Reason::none;
  std::string_view axis;
  int position = 0;  // in the text, in characters
};

struct Pattern {
  std::string_view text;
  Form form = Form::rearrange;
  Axis axes[max_axes];
  Side sides[max_sides];  // operands, then the result
  int side_count = 0;
  Problem problem;

  constexpr bool ok() const { return problem.reason == Reason::none; }
  constexpr const Side& left() const { return sides[0]; }
  constexpr const Side& result() const { return sides[side_count - 1]; }
  constexpr std::span<const Axis> of(const Side& side) const {
    return std::span(axes).subspan(static_cast<std::size_t>(side.first),
                                   static_cast<std::size_t>(side.last - side.first));
  }
  // The number of the axis with this name on that side, or -1. Numbers are equal to nothing.
  constexpr int find(const Side& side, std::string_view name) const {
    for (int i = side.first; i < side.last; ++i)
      if (!axes[i].is_number() && axes[i].name == name) return i;
    return -1;
  }
};

std::string_view form_name(Form form);

// The reason as a sentence without its end: "axis c is on the right side only".
std::string reason_text(const Problem& problem, Form form);

// For sentences: "ab,bc->ac", as torch.einsum takes it, has axes ab and bc here.
std::string if_run_together(std::string_view pattern);

// For sentences: what cannot be seen, or is no UTF-8, as an escape ("\n", "\xff").
std::string visible(std::string_view text);

}  // namespace napkin::einops
