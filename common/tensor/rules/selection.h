// Elementwise rules: comparisons, and results that are one of the operands (rules/elementwise.h).
// Which of two equal zeros comes out, and what NaN does, is as in PyTorch's vector code.
#pragma once
#include "common/tensor/rules/elementwise_rule.h"

namespace napkin {

// NaN wins.
struct Maximum : ElementwiseRule<Op::maximum, Kind::same, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return a != a || a > b ? a : b;
  }
};

struct Minimum : ElementwiseRule<Op::minimum, Kind::same, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return a != a || a < b ? a : b;
  }
};

struct Relu : ElementwiseRule<Op::relu, Kind::same, 1, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a) const {
    return a < 0 ? T(0) : a;
  }
};

// No less than `low`; a NaN on either side wins.
struct ClampLow : ElementwiseRule<Op::clamp, Kind::same, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T low) const {
    return a < low || low != low ? low : a;
  }
};

struct ClampHigh : ElementwiseRule<Op::clamp, Kind::same, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T high) const {
    return a > high || high != high ? high : a;
  }
};

struct Clamp : ElementwiseRule<Op::clamp, Kind::same, 3, 0> {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T low, T high) const {
    return ClampHigh{}(ClampLow{}(a, low), high);
  }
};

struct Where : ElementwiseRule<Op::where, Kind::same, 3, 0> {
  static constexpr bool has_condition = true;
  template <class T>
  NAPKIN_HD constexpr T operator()(bool condition, T a, T b) const {
    return condition ? a : b;
  }
};

struct Equal : ElementwiseRule<Op::eq, Kind::comparison, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a == b;
  }
};

struct NotEqual : ElementwiseRule<Op::ne, Kind::comparison, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a != b;
  }
};

struct Less : ElementwiseRule<Op::lt, Kind::comparison, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a < b;
  }
};

struct LessEqual : ElementwiseRule<Op::le, Kind::comparison, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a <= b;
  }
};

struct Greater : ElementwiseRule<Op::gt, Kind::comparison, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a > b;
  }
};

struct GreaterEqual : ElementwiseRule<Op::ge, Kind::comparison, 2, 0> {
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a >= b;
  }
};

using SelectionRules = RuleList<Maximum, Minimum, Relu, ClampLow, ClampHigh, Clamp, Where, Equal,
                                NotEqual, Less, LessEqual, Greater, GreaterEqual>;

}  // namespace napkin
