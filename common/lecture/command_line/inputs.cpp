#include "common/lecture/command_line/inputs.h"

#include "common/core/joined.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <type_traits>
#include <utility>

namespace napkin::lecture {
namespace {

using Whole = std::int64_t;

std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

// What stood on the command line, and the part of it that is looked at.
struct Given {
  std::string_view flag, all, part;
};

[[noreturn]] void refuse(const Given& given, std::string_view allowed) {
  if (given.part == given.all) fail("{} {}: not {}", given.flag, as_typed(given.all), allowed);
  fail("{} {}: \"{}\" is not {}", given.flag, given.all, given.part, allowed);
}

// The number that the whole part is, in [low, high].
template <class Number>
Number number(const Given& given, Number low, Number high, std::string_view allowed) {
  const std::string_view digits = without_plus(given.part);
  const char* end = digits.data() + digits.size();
  Number n{};
  const auto [stop, error] = std::from_chars(digits.data(), end, n);
  if (error != std::errc() || stop != end || n < low || n > high) refuse(given, allowed);
  return n;
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

Whole any_whole(const Given& given) {
  using Limits = std::numeric_limits<Whole>;
  return number(given, Limits::min(), Limits::max(), "a whole number of 64 bits");
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
  const double infinity = std::numeric_limits<double>::infinity();
  v = number({flag, text, text}, -infinity, infinity, "a number that a double can hold");
}
void convert(std::string_view, std::string_view text, std::string& v) { v = text; }
void convert(std::string_view flag, std::string_view text, std::vector<Whole>& v) {
  v.clear();
  for (const std::string& part : items(text)) v.push_back(any_whole({flag, text, part}));
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
  return number({flag, text, text}, low, high,
                fmt::format("a whole number from {} to {}", low, high));
}

std::uint64_t seed_number(std::string_view flag, std::string_view text) {
  using Limits = std::numeric_limits<std::uint64_t>;
  return number({flag, text, text}, Limits::min(), Limits::max(),
                "a whole number from 0 to 2^64 - 1");
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
