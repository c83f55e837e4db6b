// Elementwise rules: functions of one real number (rules/elementwise.h). Those in FP32 are those of
// numeric/functions.h, those in fp64 the C library's.
#pragma once
#include <cmath>

#include "common/numeric/functions.h"
#include "common/tensor/rules/elementwise_rule.h"

namespace napkin {

struct Exp : ElementwiseRule<Op::exp, Kind::real, 1, 1> {
  NAPKIN_HD float operator()(float a) const { return exp_rule(a); }
  NAPKIN_HD double operator()(double a) const { return std::exp(a); }
};

struct Log : ElementwiseRule<Op::log, Kind::real, 1, 1> {
  NAPKIN_HD float operator()(float a) const { return log_rule(a); }
  NAPKIN_HD double operator()(double a) const { return std::log(a); }
};

struct Sqrt : ElementwiseRule<Op::sqrt, Kind::real, 1, 1> {
  template <class T>
  NAPKIN_HD T operator()(T a) const {
    return std::sqrt(a);
  }
};

struct Rsqrt : ElementwiseRule<Op::rsqrt, Kind::real, 1, 2> {
  template <class T>
  NAPKIN_HD T operator()(T a) const {
    return 1 / std::sqrt(a);
  }
};

struct Tanh : ElementwiseRule<Op::tanh, Kind::real, 1, 1> {
  NAPKIN_HD float operator()(float a) const { return tanh_rule(a); }
  NAPKIN_HD double operator()(double a) const { return std::tanh(a); }
};

struct Sigmoid : ElementwiseRule<Op::sigmoid, Kind::real, 1, 1> {
  NAPKIN_HD float operator()(float a) const { return sigmoid_rule(a); }
  NAPKIN_HD double operator()(double a) const {
    const double e = std::exp(-std::fabs(a));
    return (a < 0 ? e : 1) / (1 + e);
  }
};

struct GeluErf : ElementwiseRule<Op::gelu, Kind::real, 1, 1> {
  NAPKIN_HD float operator()(float a) const { return gelu_rule(a); }
  NAPKIN_HD double operator()(double a) const {
    const double b = a < -40 ? -40 : a;  // there it is 0; infinity times 0 would not be
    return b * (0.5 * std::erfc(b * -0.70710678118654752));
  }
};

struct GeluTanh : ElementwiseRule<Op::gelu, Kind::real, 1, 1> {
  NAPKIN_HD float operator()(float a) const { return gelu_tanh_rule(a); }
  NAPKIN_HD double operator()(double a) const {
    const double b = a < -40 ? -40 : a;
    return b * Sigmoid{}(detail::two_gelu_slope * b * (1 + 0.044715 * (b * b)));
  }
};

using FunctionRules = RuleList<Exp, Log, Sqrt, Rsqrt, Tanh, Sigmoid, GeluErf, GeluTanh>;

}  // namespace napkin
