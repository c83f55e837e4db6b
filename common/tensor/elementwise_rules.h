// The elementwise operations, one scalar at a time: one rule for CPU and GPU.
//
// A rule is computed in double (fp64), float (fp32, bf16, fp16: the result is rounded once) or
// int64 (integers and bool: the result is cut to the dtype, so that sums and products wrap around
// as PyTorch's do). Where PyTorch's vector code fuses, a rule says std::fma; nothing else is fused.
//
// A new operation is a struct here, its name in ElementwiseRules, and a function in elementwise.h.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "common/core/config.h"

namespace napkin {

// What the operands may be, and what the result is.
enum class Kind : std::uint8_t {
  any,         // bool too: on it + is "or", * is "and"
  number,      // no bool
  real,        // integers and bool become fp32 first
  comparison,  // any operands, a bool result
};

// Sums, differences and products of int64 wrap around, which only unsigned numbers may in C++.
template <class T>
using Wrapping = std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>;

struct Add {
  static constexpr const char* name = "add";
  static constexpr Kind kind = Kind::any;
  static constexpr int operands = 2, flops = 1;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
};

// a + alpha b, rounded once.
struct AddScaled {
  static constexpr const char* name = "add";
  static constexpr Kind kind = Kind::any;
  static constexpr int operands = 3, flops = 2;
  template <class T>
  NAPKIN_HD T operator()(T a, T b, T alpha) const {
    if constexpr (std::is_floating_point_v<T>) return std::fma(alpha, b, a);
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(alpha) * Wrapping<T>(b));
  }
};

struct Sub {
  static constexpr const char* name = "sub";
  static constexpr Kind kind = Kind::number;
  static constexpr int operands = 2, flops = 1;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
};

// a - alpha b, rounded once.
struct SubScaled {
  static constexpr const char* name = "sub";
  static constexpr Kind kind = Kind::number;
  static constexpr int operands = 3, flops = 2;
  template <class T>
  NAPKIN_HD T operator()(T a, T b, T alpha) const {
    if constexpr (std::is_floating_point_v<T>) return std::fma(-alpha, b, a);
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(alpha) * Wrapping<T>(b));
  }
};

struct Mul {
  static constexpr const char* name = "mul";
  static constexpr bool keeps_number = true;
  static constexpr Kind kind = Kind::any;
  static constexpr int operands = 2, flops = 1;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
};

struct Div {
  static constexpr const char* name = "div";
  static constexpr bool keeps_number = true;
  static constexpr Kind kind = Kind::real;
  static constexpr int operands = 2, flops = 1;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return a / b;
  }
};

struct Neg {
  static constexpr const char* name = "neg";
  static constexpr Kind kind = Kind::number;
  static constexpr int operands = 1, flops = 0;
  template <class T>
  NAPKIN_HD constexpr T operator()(T a) const {
    return static_cast<T>(-Wrapping<T>(a));
  }
};

struct Equal {
  static constexpr const char* name = "eq";
  static constexpr Kind kind = Kind::comparison;
  static constexpr int operands = 2, flops = 0;
  template <class T>
  NAPKIN_HD constexpr bool operator()(T a, T b) const {
    return a == b;
  }
};

template <class... Rules>
struct RuleList {
  static constexpr int size = sizeof...(Rules);
};
using ElementwiseRules = RuleList<Add, AddScaled, Sub, SubScaled, Mul, Div, Neg, Equal>;

// The place of a rule in the list: its number in tables of loops and of kernels.
template <class Rule, class... Rules>
constexpr int rule_number(RuleList<Rules...>) {
  int number = 0, found = -1;
  ((std::is_same_v<Rule, Rules> ? found = number : number++), ...);
  return found;
}

// What the tables need to know of a rule.
struct RuleInfo {
  int number;
  const char* name;
  Kind kind;
  int operands, flops;
  // With bf16 and fp16, a second operand that is a number, or has one element, is taken as fp32
  // instead of being rounded first: PyTorch does so in some operations.
  bool keeps_number;
};

template <class Rule>
concept KeepsNumber = requires { Rule::keeps_number; };

template <class Rule>
constexpr RuleInfo rule_info = {rule_number<Rule>(ElementwiseRules{}),
                                Rule::name,
                                Rule::kind,
                                Rule::operands,
                                Rule::flops,
                                KeepsNumber<Rule>};

}  // namespace napkin
