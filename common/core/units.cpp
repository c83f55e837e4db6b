#include "common/core/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string_view>

namespace napkin {
namespace {

// "2.420" -> "2.42", "256.0" -> "256".
std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string in_bytes(double bytes, double base, std::span<const std::string_view> units) {
  if (!std::isfinite(bytes)) return fmt::format("{} B", bytes);
  std::size_t unit = 0;
  // 999.996 would print as 1000: the next unit says it better
  for (; unit + 1 < units.size() && std::abs(bytes) >= base - 0.005; ++unit) bytes /= base;
  return without_trailing_zeros(fmt::format("{:.2f}", bytes)) + " " + std::string(units[unit]);
}

}  // namespace

std::string with_commas(std::int64_t n) {
  std::string text = fmt::format("{}", n);
  const std::ptrdiff_t first = n < 0 ? 1 : 0;
  for (auto i = std::ssize(text) - 3; i > first; i -= 3)
    text.insert(static_cast<std::size_t>(i), 1, ',');
  return text;
}

std::string decimal_bytes(double bytes) {
  static constexpr std::array<std::string_view, 7> units = {"B",  "kB", "MB", "GB",
                                                            "TB", "PB", "EB"};
  return in_bytes(bytes, 1000, units);
}

std::string binary_bytes(double bytes) {
  static constexpr std::array<std::string_view, 7> units = {"B",   "KiB", "MiB", "GiB",
                                                            "TiB", "PiB", "EiB"};
  return in_bytes(bytes, 1024, units);
}

std::string duration(double seconds) {
  static constexpr std::array<std::string_view, 3> units = {"us", "ms", "s"};
  double n = seconds * 1e6;
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && std::abs(n) >= 999.5; ++unit) n /= 1000;
  return fmt::format("{} {}", significant(n, 2), units[unit]);
}

std::string significant(double x, int digits) {
  if (std::isnan(x)) return "nan";  // whatever its sign
  if (!std::isfinite(x)) return fmt::format("{}", x);
  if (x == 0) return "0";
  const std::string rounded = fmt::format("{:.{}e}", x, digits - 1);  // "1.30e+05"
  const std::size_t e = rounded.find('e');
  const int exponent = std::atoi(rounded.c_str() + e + 1);
  if (exponent >= -4 && exponent <= std::max(4, digits - 1))
    return without_trailing_zeros(fmt::format("{:.{}f}", x, std::max(0, digits - 1 - exponent)));
  return fmt::format("{}e{}", without_trailing_zeros(rounded.substr(0, e)), exponent);
}

std::string short_number(double x) { return significant(x, 3); }

std::string counted(std::int64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace napkin
