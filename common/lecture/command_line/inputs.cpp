#include "common/lecture/command_line/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>
#include <utility>

#include "common/core/joined.h"
#include "common/core/quantity.h"

namespace napkin::lecture {
namespace {

using Whole = std::int64_t;

// What stood on the command line, and the part of it that is looked at.
struct Given {
  std::string_view flag, all, part;
};

[[noreturn]] void refuse(const Given& given, std::string_view allowed) {
  if (given.part == given.all) fail("{} {}: not {}", given.flag, as_typed(given.all), allowed);
  fail("{} {}: \"{}\" is not {}", given.flag, given.all, given.part, allowed);
}

Whole whole_in(const Given& given, Whole low, Whole high, std::string_view allowed) {
  const auto n = whole_quantity(given.part);
  if (!n || *n < low || *n > high) refuse(given, allowed);
  return *n;
}

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// "2, 3" -> "2" and "3"; blanks alone are one empty part.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(without_blanks_around(text.substr(start, end - start)));
    start = end + 1;
  }
  return parts;
}

// The same, but of nothing there are no parts.
std::vector<std::string> items(std::string_view text) {
  if (without_blanks_around(text).empty()) return {};
  return split(text, ',');
}

// Sizes as pages print them, too: 12288x49152 or 12288 x 49152.
std::string with_commas_between(std::string_view sizes) {
  std::string text(sizes);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t before = text.find_last_not_of(' ', i - 1),
                      after = text.find_first_not_of(' ', i + 1);
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '9';
    };
    if (i > 0 && (text[i] == 'x' || text[i] == 'X') && is_digit(before) && is_digit(after))
      text[i] = ',';
  }
  return text;
}

Whole any_whole(const Given& given) {
  using Limits = std::numeric_limits<Whole>;
  return whole_in(given, Limits::min(), Limits::max(), "a whole number of 64 bits");
}

// One conversion per type of target.
void convert(std::string_view flag, std::string_view text, bool& v) {
  const bool yes = text == "yes" || text == "true" || text == "1" || text == "on";
  const bool no = text == "no" || text == "false" || text == "0" || text == "off";
  if (!yes && !no) refuse({flag, text, text}, "yes or no");
  v = yes;
}
void convert(std::string_view flag, std::string_view text, Whole& v) {
  v = any_whole({flag, text, text});
}
void convert(std::string_view flag, std::string_view text, double& v) {
  const auto number = real_quantity(text);
  if (!number) refuse({flag, text, text}, "a number that a double can hold");
  v = *number;
}
void convert(std::string_view, std::string_view text, std::string& v) { v = text; }
void convert(std::string_view flag, std::string_view text, std::vector<Whole>& v) {
  v.clear();
  for (const std::string& part : items(with_commas_between(text)))
    v.push_back(any_whole({flag, text, part}));
}
void convert(std::string_view, std::string_view text, std::vector<std::string>& v) {
  for (std::string& part : items(text)) v.push_back(std::move(part));
}
void convert(std::string_view flag, std::string_view text, std::vector<std::vector<Whole>>& v) {
  for (const std::string& part : split(text, ';')) convert(flag, part, v.emplace_back());
}

template <class T>
constexpr bool gathers = std::is_same_v<T, std::vector<std::string>> ||
                         std::is_same_v<T, std::vector<std::vector<Whole>>>;

std::string as_given(bool v) { return v ? "yes" : "no"; }
std::string as_given(Whole v) { return fmt::format("{}", v); }
std::string as_given(double v) { return fmt::format("{}", v); }
std::string as_given(const std::string& v) { return v; }
template <class T>
std::string as_given(const std::vector<T>& list) {
  std::vector<std::string> parts;
  for (const T& v : list) parts.push_back(as_given(v));
  return joined(parts, gathers<std::vector<T>> && !std::is_same_v<T, std::string> ? ";" : ",");
}

}  // namespace

std::string as_typed(std::string_view text) { return text.empty() ? "\"\"" : std::string(text); }

std::int64_t whole_number(std::string_view flag, std::string_view text, std::int64_t low,
                          std::int64_t high) {
  return whole_in({flag, text, text}, low, high,
                  fmt::format("a whole number from {} to {}", low, high));
}

std::uint64_t seed_number(std::string_view flag, std::string_view text) {
  if (const auto n = whole_quantity(text); n && *n >= 0) return static_cast<std::uint64_t>(*n);
  std::uint64_t n = 0;  // those from 2^63 on
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  if (error != std::errc() || stop != end)
    refuse({flag, text, text}, "a whole number from 0 to 2^64 - 1");
  return n;
}

bool set_input(const Input& input, const std::vector<std::string>& given) {
  return std::visit(
      [&](auto* target) {
        using T = std::remove_pointer_t<decltype(target)>;
        check(given.size() == 1 || gathers<T>, "{}: given {} times", input.flag, given.size());
        T now{};
        for (const std::string& text : given) convert(input.flag, text, now);
        const bool changed = now != *target;
        *target = std::move(now);
        return changed;
      },
      input.target);
}

std::string input_text(const InputTarget& target) {
  return std::visit([](const auto* held) { return as_given(*held); }, target);
}

std::string_view placeholder(const InputTarget& target) {
  static constexpr std::string_view names[] = {"",        "N",        "X",          "TEXT",
                                               "N,N,...", "TEXT,...", "\"N,N;N,N\""};
  return names[target.index()];
}

bool is_switch(const InputTarget& target) { return std::holds_alternative<bool*>(target); }

bool is_gathering(const InputTarget& target) {
  return std::visit([](auto* held) { return gathers<std::remove_pointer_t<decltype(held)>>; },
                    target);
}

}  // namespace napkin::lecture
