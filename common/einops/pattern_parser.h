// How patterns are read: characters, then axes and parentheses, then what each form asks for.
#pragma once
#include <algorithm>

#include "common/core/utf8.h"
#include "common/einops/pattern.h"

namespace napkin::einops::parser {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters, digits and "_". Beyond ASCII whole blocks count: all but signs, spaces and arrows.
constexpr bool is_word(char32_t c) {
  if (c < 0x80)
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  const bool sign = (c < 0xc0 && c != 0xaa && c != 0xb5 && c != 0xba) || c == 0xd7 || c == 0xf7 ||
                    (c >= 0x2000 && c < 0x2100) || (c >= 0x2190 && c < 0x2c00) ||
                    (c >= 0x3000 && c < 0x3005) || (c >= 0x3008 && c < 0x3021) ||
                    (c >= 0xd800 && c < 0xf900) || (c >= 0xfe00 && c < 0xfe70) ||
                    (c >= 0xff00 && c < 0xff10) || c >= 0x1f000;
  return !sign || (c >= 0x20000 && c < 0x32000);
}

class Parser {
 public:
  constexpr Parser(std::string_view text, Form form) {
    pattern_.text = text;
    pattern_.form = form;
  }

  constexpr Pattern parse(std::span<const std::string_view> given) {
    begin_side();
    while (ok() && at_ < size()) step();
    if (ok()) end_side();
    if (ok() && !is_one_side() && !arrow_) refuse(Reason::no_arrow, {}, size());
    if (!ok()) return pattern_;
    if (pattern_.form == Form::einsum || is_one_side())
      check_plain();
    else
      check_transform(given);
    return pattern_;
  }

 private:
  constexpr bool ok() const { return pattern_.ok(); }
  constexpr bool is_one_side() const { return pattern_.form >= Form::shape; }
  constexpr int size() const { return static_cast<int>(pattern_.text.size()); }
  constexpr std::string_view rest() const {
    return pattern_.text.substr(static_cast<std::size_t>(at_));
  }
  constexpr Side& side() { return pattern_.sides[pattern_.side_count - 1]; }

  constexpr void refuse(Reason reason, std::string_view axis, int position) {
    if (ok()) pattern_.problem = {reason, axis, characters_before(position)};
  }
  constexpr int characters_before(int position) const {
    int count = 0;
    for (const char c : pattern_.text.substr(0, static_cast<std::size_t>(position)))
      count += !continues_utf8(c);
    return count;
  }
  constexpr void refuse(Reason reason, const Axis& axis) {
    refuse(reason, axis.name, axis.position);
  }

  constexpr void begin_side() {
    if (pattern_.side_count == max_sides) return refuse(Reason::too_many_axes, {}, at_);
    ++pattern_.side_count;
    side().first = side().last = count_;
  }
  constexpr void end_side() {
    if (open_ >= 0) refuse(Reason::unbalanced_parentheses, "(", open_);
    side().last = count_;
  }

  constexpr void step() {
    const char c = rest()[0];
    const Utf8Character first = first_utf8(rest());
    if (c == ' ') {
      ++at_;
    } else if (c == '.' || is_word(first.code)) {
      read_word();
    } else if (c == '(') {
      if (open_ >= 0) return refuse(Reason::nested_parentheses, "(", at_);
      open_ = at_++;
      ++side().dimensions;
    } else if (c == ')') {
      if (open_ < 0) return refuse(Reason::unbalanced_parentheses, ")", at_);
      open_ = -1;
      ++at_;
    } else if (c == ',' && pattern_.form == Form::einsum && !arrow_) {
      next_side(1);
    } else if (rest().substr(0, 2) == "->" && !is_one_side()) {
      if (arrow_) return refuse(Reason::two_arrows, "->", at_);
      arrow_ = true;
      next_side(2);
    } else {
      refuse(Reason::unknown_character, rest().substr(0, std::max<std::size_t>(1, first.bytes)),
             at_);
    }
  }
  constexpr void next_side(int characters) {
    end_side();
    at_ += characters;
    begin_side();
  }

  constexpr void read_word() {
    const int start = at_;
    while (at_ < size()) {
      const Utf8Character next = first_utf8(rest());
      if (next.code == '.') {
        if (rest().substr(0, 3) != ellipsis) return refuse(Reason::stray_dots, ".", at_);
        at_ += 3;
      } else if (is_word(next.code)) {
        at_ += static_cast<int>(next.bytes);
      } else {
        break;
      }
    }
    add(pattern_.text.substr(static_cast<std::size_t>(start),
                             static_cast<std::size_t>(at_ - start)),
        start);
  }

  constexpr void add(std::string_view word, int start) {
    Axis axis{word, -1, 0, start};
    const bool number = word.find_first_not_of("0123456789") == std::string_view::npos;
    if (number && !read_number(axis)) return refuse(Reason::invalid_number, axis);
    if (!number && !axis.is_ellipsis() && !is_name(word)) return refuse(Reason::invalid_name, axis);
    if (open_ < 0) ++side().dimensions;
    axis.dimension = side().dimensions - 1;
    if (axis.size == 1) return;  // nothing, or a dimension of nothing
    if (pattern_.find({side().first, count_}, word) >= 0 && !number && !may_repeat(word))
      return refuse(axis.is_ellipsis() ? Reason::two_ellipses : Reason::repeated_axis, axis);
    if (count_ == max_axes) return refuse(Reason::too_many_axes, axis);
    if (axis.is_ellipsis()) {
      side().ellipsis = count_;
      side().ellipsis_in_parentheses = open_ >= 0;
    }
    pattern_.axes[count_++] = axis;
  }
  constexpr bool read_number(Axis& axis) const {
    axis.size = 0;
    for (const char c : axis.name) {
      if (axis.size > (std::numeric_limits<std::int64_t>::max() - 9) / 10) return false;
      axis.size = 10 * axis.size + (c - '0');
    }
    return axis.size > 0;
  }
  constexpr bool is_name(std::string_view word) const {
    if (word == "_") return pattern_.form == Form::einsum || is_one_side();
    return !is_digit(word.front()) && word.front() != '_' && word.back() != '_' &&
           word.find('.') == std::string_view::npos;
  }
  constexpr bool may_repeat(std::string_view word) const {
    if (word == ellipsis) return false;
    if (pattern_.form == Form::annotation) return true;
    return pattern_.form == Form::shape ? word == "_" : pattern_.form == Form::einsum && !arrow_;
  }

  constexpr void check_transform(std::span<const std::string_view> given) {
    const Side& left = pattern_.left();
    const Side& right = pattern_.result();
    if (left.ellipsis < 0 && right.ellipsis >= 0)
      refuse(Reason::ellipsis_only_right, pattern_.axes[right.ellipsis]);
    if (left.ellipsis_in_parentheses)
      refuse(Reason::ellipsis_in_parentheses, pattern_.axes[left.ellipsis]);
    for (const Axis& axis : pattern_.of(left)) check_left(axis, right);
    for (const Axis& axis : pattern_.of(right)) check_right(axis, left, given);
    for (std::size_t i = 0; i < given.size(); ++i) check_given(given, i);
    for (const Axis& axis : pattern_.of(left)) check_unknown(axis, given);
  }
  constexpr void check_left(const Axis& axis, const Side& right) {
    if (pattern_.form == Form::reduce) return;
    if (axis.is_number()) refuse(Reason::number_not_allowed, axis);
    if (pattern_.find(right, axis.name) < 0)
      refuse(axis.is_ellipsis() ? Reason::ellipsis_only_left : Reason::axis_only_left, axis);
  }
  constexpr void check_right(const Axis& axis, const Side& left,
                             std::span<const std::string_view> given) {
    if (pattern_.form == Form::repeat) {
      if (!axis.is_number() && pattern_.find(left, axis.name) < 0 && !contains(given, axis.name))
        refuse(Reason::size_missing, axis);
      return;
    }
    if (axis.is_number()) refuse(Reason::number_not_allowed, axis);
    if (pattern_.find(left, axis.name) < 0) refuse(Reason::axis_only_right, axis);
  }
  constexpr void check_given(std::span<const std::string_view> given, std::size_t i) {
    const Side both{pattern_.left().first, pattern_.result().last};
    if (given[i] == ellipsis || pattern_.find(both, given[i]) < 0)
      refuse(Reason::size_not_used, given[i], size());
    if (contains(given.first(i), given[i])) refuse(Reason::size_given_twice, given[i], size());
  }
  // Refuses the second axis of one dimension whose size is neither given nor a number.
  constexpr void check_unknown(const Axis& axis, std::span<const std::string_view> given) {
    if (axis.is_number() || contains(given, axis.name)) return;
    for (const Axis& other : pattern_.of(pattern_.left()))
      if (other.dimension == axis.dimension && other.position < axis.position &&
          !other.is_number() && !contains(given, other.name))
        refuse(Reason::two_unknown_sizes, axis);
  }
  static constexpr bool contains(std::span<const std::string_view> names, std::string_view name) {
    for (const std::string_view n : names)
      if (n == name) return true;
    return false;
  }

  // einsum, shape and annotation: one axis for each dimension.
  constexpr void check_plain() {
    for (int s = 0; s < pattern_.side_count; ++s) {
      const Side& one = pattern_.sides[s];
      if (one.ellipsis_in_parentheses)
        refuse(Reason::ellipsis_in_parentheses, pattern_.axes[one.ellipsis]);
      for (int i = one.first + 1; i < one.last; ++i)
        if (pattern_.axes[i].dimension == pattern_.axes[i - 1].dimension)
          refuse(Reason::group_not_allowed, pattern_.axes[i]);
      if (pattern_.form == Form::einsum) check_einsum(one);
    }
  }
  constexpr void check_einsum(const Side& one) {
    if (one.last - one.first != one.dimensions) refuse(Reason::number_not_allowed, "1", size());
    const bool is_result = &one == &pattern_.result();
    for (const Axis& axis : pattern_.of(one)) {
      if (axis.is_number()) refuse(Reason::number_not_allowed, axis);
      if (is_result && !axis.is_ellipsis() && pattern_.find({0, one.first}, axis.name) < 0)
        refuse(Reason::axis_only_right, axis);
    }
  }

  Pattern pattern_;
  int at_ = 0;
  int count_ = 0;  // axes so far
  int open_ = -1;  // where the open parenthesis stands
  bool arrow_ = false;
};

}  // namespace napkin::einops::parser

namespace napkin::einops {

// Reads and checks a pattern; `given` are the names of the axes whose sizes are given. What is
// wrong stands in the result's problem.
constexpr Pattern parse_pattern(std::string_view text, Form form,
                                std::span<const std::string_view> given = {}) {
  return parser::Parser(text, form).parse(given);
}

}  // namespace napkin::einops
