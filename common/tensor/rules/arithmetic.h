// Elementwise rules: sums, products and what is made of them (rules/elementwise.h).
#pragma once
#include <cmath>

#include "common/tensor/rules/elementwise_rule.h"

namespace napkin {

struct Add : ElementwiseRule<Op::add, Kind::same, 2, 1> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
};

// a + alpha b, rounded once.
struct AddScaled : ElementwiseRule<Op::add, Kind::same, 3, 2> {
  template <class T>
  NAPKIN_HD T operator()(T a, T b, T alpha) const {
    if constexpr (std::is_floating_point_v<T>) return std::fma(alpha, b, a);
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(alpha) * Wrapping<T>(b));
  }
};

struct Sub : ElementwiseRule<Op::sub, Kind::same, 2, 1> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
};

// a - alpha b, rounded once.
struct SubScaled : ElementwiseRule<Op::sub, Kind::same, 3, 2> {
  template <class T>
  NAPKIN_HD T operator()(T a, T b, T alpha) const {
    if constexpr (std::is_floating_point_v<T>) return std::fma(-alpha, b, a);
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(alpha) * Wrapping<T>(b));
  }
};

struct Mul : ElementwiseRule<Op::mul, Kind::same, 2, 1> {
  static constexpr int kept = 1;
  static constexpr bool keeps_single = true;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
};

struct Div : ElementwiseRule<Op::div, Kind::real, 2, 1> {
  static constexpr int kept = 1;
  static constexpr bool keeps_single = true;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return a / b;
  }
};

struct Neg : ElementwiseRule<Op::neg, Kind::same, 1, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a) const {
    return static_cast<T>(-Wrapping<T>(a));
  }
};

struct Abs : ElementwiseRule<Op::abs, Kind::same, 1, 0> {
  template <class T>
  NAPKIN_HD T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
    return static_cast<T>(a < 0 ? -Wrapping<T>(a) : Wrapping<T>(a));
  }
};

struct Sign : ElementwiseRule<Op::sign, Kind::same, 1, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a) const {
    return static_cast<T>(a > 0 ? T(1) : T(0)) - static_cast<T>(a < 0 ? T(1) : T(0));
  }
};

// a + value b c; value b is rounded, the rest is fused.
struct Addcmul : ElementwiseRule<Op::addcmul, Kind::same, 4, 3> {
  static constexpr int kept = 3;
  template <class T>
  NAPKIN_HD T operator()(T a, T b, T c, T value) const {
    if constexpr (std::is_floating_point_v<T>) return std::fma(value * b, c, a);
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(value) * Wrapping<T>(b) * Wrapping<T>(c));
  }
};

// a + weight (b - a), from the nearer end, so that weights 0 and 1 give a and b.
struct Lerp : ElementwiseRule<Op::lerp, Kind::real, 3, 3> {
  static constexpr int kept = 2;
  template <class T>
  NAPKIN_HD T operator()(T a, T b, T weight) const {
    const bool near_a = std::fabs(weight) < T(0.5);
    return std::fma(near_a ? weight : weight - 1, b - a, near_a ? a : b);
  }
};

using ArithmeticRules =
    RuleList<Add, AddScaled, Sub, SubScaled, Mul, Div, Neg, Abs, Sign, Addcmul, Lerp>;

}  // namespace napkin
