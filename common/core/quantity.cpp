#include "common/core/quantity.h"

#include <charconv>
#include <limits>
#include <string>
#include <span>
#include <utility>

namespace napkin {
namespace {

struct Suffix {
  char letter;
  int power;  // of ten
};
constexpr Suffix suffixes[] = {{'k', 3}, {'K', 3}, {'M', 6}, {'B', 9}, {'G', 9}, {'T', 12}};

// Takes the suffix off the text, and a sign "+" that from_chars does not know.
int take_suffix(std::string_view& text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.size() < 2 || (text[text.size() - 2] < '0' && text[text.size() - 2] != '.')) return 0;
  if (text[text.size() - 2] > '9') return 0;  // letters: inf, nan
  for (const auto& [letter, power] : suffixes)
    if (text.back() == letter) {
      text.remove_suffix(1);
      return power;
    }
  return 0;
}

// -12.50e3 is its digits 1250 times 10^(3 - 2).
struct Decimal {
  bool negative = false;
  std::string digits;
  int power = 0;
};

std::optional<Decimal> decimal(std::string_view text) {
  Decimal d;
  d.power = take_suffix(text);
  d.negative = text.starts_with('-');
  if (d.negative) text.remove_prefix(1);
  bool after_point = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.' && !std::exchange(after_point, true)) continue;
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    d.digits += text[i];
    if (after_point) --d.power;
  }
  if (d.digits.empty()) return std::nullopt;
  if (i == text.size()) return d;
  int exponent = 0;
  std::string_view rest = text.substr(i + 1);
  if (rest.starts_with('+')) rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
  if (error != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
  if (exponent > 1000 || exponent < -1000) return std::nullopt;
  d.power += exponent;
  return d;
}

struct Unit {
  std::string_view name;
  double size;
};
constexpr Unit byte_units[] = {{"B", 1},        {"kB", 1e3},    {"KB", 1e3},     {"MB", 1e6},
                               {"GB", 1e9},     {"TB", 1e12},   {"KiB", 0x1p10}, {"MiB", 0x1p20},
                               {"GiB", 0x1p30}, {"TiB", 0x1p40}};
constexpr double minute = 60, hour = 3600, day = 86400, week = 604800;
constexpr Unit time_units[] = {
    {"us", 1e-6},   {"ms", 1e-3},    {"s", 1},           {"sec", 1},          {"second", 1},
    {"seconds", 1}, {"min", minute}, {"minute", minute}, {"minutes", minute}, {"h", hour},
    {"hour", hour}, {"hours", hour}, {"d", day},         {"day", day},        {"days", day},
    {"w", week},    {"week", week},  {"weeks", week}};

// A number, then the longest of the units that the text ends with.
std::optional<double> with_unit(std::string_view text, std::span<const Unit> units) {
  std::size_t begin = text.size();  // of the letters at the end
  while (begin > 0 && ((text[begin - 1] | 0x20) >= 'a' && (text[begin - 1] | 0x20) <= 'z')) --begin;
  std::string_view number = text.substr(0, begin);
  if (number.ends_with(' ')) number.remove_suffix(1);
  for (const auto& [name, size] : units)
    if (text.substr(begin) == name && !number.ends_with(' '))
      if (const auto x = real_quantity(number)) return *x * size;
  return real_quantity(text);
}

}  // namespace

std::optional<double> byte_quantity(std::string_view text) { return with_unit(text, byte_units); }
std::optional<double> time_quantity(std::string_view text) { return with_unit(text, time_units); }

std::optional<std::int64_t> whole_quantity(std::string_view text) {
  auto d = decimal(text);
  if (!d) return std::nullopt;
  for (; d->power < 0 && d->digits.ends_with('0'); ++d->power) d->digits.pop_back();
  if (d->digits.find_first_not_of('0') == std::string::npos) return 0;
  if (d->power < 0) return std::nullopt;
  d->digits.append(static_cast<std::size_t>(d->power), '0');
  if (d->negative) d->digits.insert(0, 1, '-');
  std::int64_t n = 0;
  const auto [end, error] =
      std::from_chars(d->digits.data(), d->digits.data() + d->digits.size(), n);
  return error == std::errc() ? std::optional(n) : std::nullopt;
}

std::optional<double> real_quantity(std::string_view text) {
  std::string_view number = text;
  const int power = take_suffix(number);
  std::string with_power(number);
  if (power > 0) {
    const auto d = decimal(text);
    if (!d) return std::nullopt;
    with_power = (d->negative ? "-" : "") + d->digits + "e" + std::to_string(d->power);
  }
  double x = 0;
  const char* last = with_power.data() + with_power.size();
  const auto [end, error] = std::from_chars(with_power.data(), last, x);
  return error == std::errc() && end == last && !with_power.empty() ? std::optional(x)
                                                                    : std::nullopt;
}

}  // namespace napkin
