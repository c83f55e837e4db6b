// Why patterns are refused, in words.
#include "common/einops/pattern.h"

#include <fmt/format.h>

#include <algorithm>

namespace napkin::einops {

std::string if_run_together(std::string_view pattern) {
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  if (pattern.find(' ') != pattern.npos) return "";
  for (std::size_t i = 1; i < pattern.size(); ++i)
    if (is_letter(pattern[i - 1]) && is_letter(pattern[i]))
      return fmt::format(" (names are parted by blanks: {} is one axis)",
                         pattern.substr(0, std::min(pattern.find_first_of(",-"), pattern.size())));
  return "";
}

std::string visible(std::string_view text) {
  const std::string quoted = fmt::format("{:?}", text);
  return quoted.substr(1, quoted.size() - 2);
}

namespace {

std::string reason_of_text(const Problem& p) {
  switch (p.reason) {
    case Reason::no_arrow:
      return "there is no ->";
    case Reason::two_arrows:
      return fmt::format("a second -> at position {}", p.position);
    case Reason::unknown_character:
      return fmt::format("unknown character '{}' at position {}", visible(p.axis), p.position);
    case Reason::stray_dots:
      return fmt::format("dots at position {} that are not an ellipsis (...)", p.position);
    case Reason::two_ellipses:
      return "more than one ellipsis (...) for one tensor";
    case Reason::nested_parentheses:
      return fmt::format("parentheses inside parentheses at position {}", p.position);
    case Reason::unbalanced_parentheses:
      return fmt::format("the {} at position {} has no partner", p.axis, p.position);
    case Reason::invalid_name:
      return fmt::format(
          "invalid axis {}: a name has letters, digits and _, does not begin with a digit, and "
          "neither begins nor ends with _",
          p.axis);
    case Reason::invalid_number:
      return fmt::format("axis {}: a number is at least 1 and below 2^63", p.axis);
    case Reason::repeated_axis:
      return fmt::format("axis {} is there twice on one side", p.axis);
    case Reason::too_many_axes:
      return fmt::format("more than {} axes or {} operands", max_axes, max_sides - 1);
    default:
      return "";
  }
}

}  // namespace

std::string_view form_name(Form form) {
  constexpr std::string_view names[] = {"rearrange", "reduce",      "repeat",
                                        "einsum",    "parse_shape", "an annotation"};
  return names[static_cast<int>(form)];
}

std::string reason_text(const Problem& p, Form form) {
  switch (p.reason) {
    case Reason::ellipsis_in_parentheses:
      return "the ellipsis (...) is inside parentheses, which only the right side may have";
    case Reason::ellipsis_only_left:
      return "the ellipsis (...) is on the left side only";
    case Reason::ellipsis_only_right:
      return "the ellipsis (...) is on the right side only";
    case Reason::axis_only_left:
      return fmt::format("axis {} is on the left side only", p.axis);
    case Reason::axis_only_right:
      return fmt::format("axis {} is on the right side only", p.axis);
    case Reason::number_not_allowed:
      if (form == Form::einsum)
        return fmt::format("{} is no name; einsum takes names alone", p.axis);
      return fmt::format("{} has no numbers other than 1 here, found {}", form_name(form), p.axis);
    case Reason::group_not_allowed:
      return fmt::format("{} has no parentheses around several axes, as around {} here",
                         form_name(form), p.axis);
    case Reason::size_missing:
      return fmt::format("new axis {} needs a size", p.axis);
    case Reason::size_not_used:
      return fmt::format("a size is given for {}, which is no axis of the pattern",
                         visible(p.axis));
    case Reason::size_given_twice:
      return fmt::format("two sizes are given for axis {}", visible(p.axis));
    case Reason::two_unknown_sizes:
      return fmt::format(
          "the size of axis {} cannot be worked out: another axis in the same "
          "parentheses has none either",
          p.axis);
    default:
      return reason_of_text(p);
  }
}

}  // namespace napkin::einops
