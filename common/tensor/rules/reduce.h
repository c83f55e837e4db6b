// The reductions, one number at a time: one rule for CPU and GPU.
//
// A reduction prepares each element (a square, a magnitude, nothing) and combines what comes out,
// two numbers at a time, into one of type Rule::Result<T>; T is the elements' compute type: double
// (fp64), float (fp32, bf16, fp16) or int64. Where rounding would hurt it combines in double. The
// order is the same on every device, whatever the rule:
//
// n numbers are combined (added up, say) in blocks of 1024. In a block, lane l (of 32) takes
// elements l, l + 32, l + 64 ... one after the other; then lanes, and then blocks, are folded: the
// upper half onto the lower half, until one is left. So 32 additions are independent of each other,
// whatever the registers' width, and rounding errors grow with the logarithm of n.
//
// A new reduction is a struct here, its name in ReductionRules, and a function in
// operations/reduce.h.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "common/core/config.h"
#include "common/tensor/rules/elementwise.h"

namespace napkin {

inline constexpr std::int64_t reduce_lanes = 32, reduce_block = 1024;

// A number and where it stands.
template <class T>
struct Place {
  T value;
  std::int64_t index;
};

// NaN wins, as in PyTorch.
struct Larger {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return b > a || b != b ? b : a;
  }
};
struct Smaller {
  template <class T>
  NAPKIN_HD constexpr T operator()(T a, T b) const {
    return b < a || b != b ? b : a;
  }
};

// Elements as they are, combined in their compute type.
template <class CombineRule>
struct Plain {
  using Combine = CombineRule;
  template <class T>
  using Result = T;
  template <class T>
  NAPKIN_HD static constexpr T prepare(T x, double) {
    return x;
  }
};
using Sum = Plain<Add>;
using Product = Plain<Mul>;
using Largest = Plain<Larger>;
using Smallest = Plain<Smaller>;

// The largest and the smallest magnitude: norms of order inf and -inf.
template <class CombineRule>
struct Magnitude : Plain<CombineRule> {
  template <class T>
  NAPKIN_HD static T prepare(T x, double) {
    return std::abs(x);
  }
};
struct LargestMagnitude : Magnitude<Larger> {};
struct SmallestMagnitude : Magnitude<Smaller> {};

// Sums in double: of elements (for a mean that others are measured from), of squared distances from
// the parameter, of squares, of magnitudes, of ones where an element is not zero, of powers.
struct WideSum {
  using Combine = Add;
  template <class T>
  using Result = double;
  NAPKIN_HD static double prepare(double x, double) { return x; }
};
struct SquaredDeviations : WideSum {
  static constexpr bool has_parameter = true;
  NAPKIN_HD static double prepare(double x, double mean) { return (x - mean) * (x - mean); }
};
struct Squares : WideSum {
  NAPKIN_HD static double prepare(double x, double) { return x * x; }
};
struct Magnitudes : WideSum {
  NAPKIN_HD static double prepare(double x, double) { return std::abs(x); }
};
struct NotZero : WideSum {
  NAPKIN_HD static double prepare(double x, double) { return x != 0 ? 1 : 0; }
};
struct Powers : WideSum {
  static constexpr bool has_parameter = true;
  NAPKIN_HD static double prepare(double x, double p) { return std::pow(std::abs(x), p); }
};

// What becomes of a result: nothing, result / number, its square root, result^(1 / number).
enum class Finish : std::uint8_t { nothing, divide, square_root, root };

template <class T>
NAPKIN_HD T finished(T x, Finish finish, double number) {
  if constexpr (!std::is_integral_v<T>) {
    if (finish == Finish::divide) return x / static_cast<T>(number);
    if (finish == Finish::square_root) return std::sqrt(x);
    if (finish == Finish::root) return static_cast<T>(std::pow(x, 1 / number));
  }
  return x;
}

using ReductionRules =
    RuleList<Sum, Product, Largest, Smallest, LargestMagnitude, SmallestMagnitude, WideSum,
             SquaredDeviations, Squares, Magnitudes, NotZero, Powers>;

// The place of a rule in the list: its number in tables of loops and of kernels.
template <class Rule>
inline constexpr int reduction_number = rule_number<Rule>(ReductionRules{});

template <class Rule>
concept HasParameter = requires { Rule::has_parameter; };

}  // namespace napkin
