// Scalar: one number of any dtype, for arguments and results (Python's int, float and bool).
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "common/numeric/dtype.h"

namespace napkin {

class Scalar {
 public:
  Scalar(std::same_as<bool> auto v) : value_(v) {}  // a pointer does not count as a bool
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Scalar(T v) : value_(static_cast<std::int64_t>(v)) {
    if (!std::in_range<std::int64_t>(v)) [[unlikely]]
      refuse_unsigned(static_cast<std::uint64_t>(v));
  }
  Scalar(std::floating_point auto v) : value_(static_cast<double>(v)) {}
  template <class T>
    requires is_small_float<T>
  Scalar(T v) : value_(static_cast<double>(v)) {}

  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(value_); }
  bool is_floating() const { return std::holds_alternative<double>(value_); }
  double to_double() const {
    return std::visit([](auto v) { return static_cast<double>(v); }, value_);
  }
  std::int64_t to_int64() const;  // refuses fractions, NaN and what does not fit
  bool to_bool() const {          // NaN is true, as in Python
    return std::visit([](auto v) { return v != decltype(v){}; }, value_);
  }
  // Equal numbers, compared exactly: 2^53 + 1 is not 2^53; NaN equals nothing.
  friend bool operator==(const Scalar& a, const Scalar& b);

 private:
  [[noreturn]] static void refuse_unsigned(std::uint64_t v);

  std::variant<bool, std::int64_t, double> value_;
};

// As Python prints it: "True", "3", "0.1", "1e+20", "inf".
std::string to_string(const Scalar& value);

}  // namespace napkin
