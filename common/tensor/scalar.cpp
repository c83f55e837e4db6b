#include "common/tensor/scalar.h"

#include <cmath>

namespace napkin {
namespace {

// Whether a double is an integer of 64 bits. 2^63 is a double, 2^63 - 1 is not.
bool is_int64(double x) { return x >= -0x1p63 && x < 0x1p63 && x == std::trunc(x); }

}  // namespace

std::int64_t Scalar::to_int64() const {
  if (const auto* integer = std::get_if<std::int64_t>(&value_)) return *integer;
  if (const auto* boolean = std::get_if<bool>(&value_)) return *boolean ? 1 : 0;
  const double real = std::get<double>(value_);
  check(is_int64(real), "{} is not a 64-bit integer", real);
  return static_cast<std::int64_t>(real);
}

bool operator==(const Scalar& a, const Scalar& b) {
  if (a.is_floating() && b.is_floating()) return a.to_double() == b.to_double();
  if (a.is_floating()) return is_int64(a.to_double()) && a.to_int64() == b.to_int64();
  if (b.is_floating()) return b == a;
  return a.to_int64() == b.to_int64();
}

void Scalar::refuse_unsigned(std::uint64_t v) {
  fail("{} does not fit a 64-bit signed integer (at most 9223372036854775807)", v);
}

std::string to_string(const Scalar& value) {
  if (value.is_bool()) return value.to_bool() ? "True" : "False";
  if (value.is_integer()) return fmt::format("{}", value.to_int64());
  const double real = value.to_double();
  if (std::isnan(real)) return "nan";  // without the sign that fmt would print
  std::string text = fmt::format("{}", real);
  if (std::isfinite(real) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace napkin
