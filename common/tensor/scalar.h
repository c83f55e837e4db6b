// Scalar: one number of any dtype, for arguments and results (Python's int, float and bool).
#pragma once
#include <concepts>
#include <cstdint>
#include <variant>

#include "common/numeric/dtype.h"

namespace napkin {

class Scalar {
 public:
  Scalar(bool v) : value_(v) {}
  Scalar(std::integral auto v) : value_(static_cast<std::int64_t>(v)) {}
  Scalar(std::floating_point auto v) : value_(static_cast<double>(v)) {}
  Scalar(BFloat16 v) : value_(static_cast<double>(v)) {}
  Scalar(Float16 v) : value_(static_cast<double>(v)) {}

  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(value_); }
  bool is_floating() const { return std::holds_alternative<double>(value_); }
  double to_double() const {
    return std::visit([](auto v) { return static_cast<double>(v); }, value_);
  }
  std::int64_t to_int64() const;  // refuses fractions, NaN and what does not fit
  bool to_bool() const {
    return std::visit([](auto v) { return v != decltype(v){}; }, value_);
  }
  friend bool operator==(const Scalar& a, const Scalar& b) {
    return a.to_double() == b.to_double();
  }

 private:
  std::variant<bool, std::int64_t, double> value_;
};

}  // namespace napkin
