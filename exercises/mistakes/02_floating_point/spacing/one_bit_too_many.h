// A mistake: counts the leading 1 among the mantissa bits: 8 for BF16.
#pragma once
#include <algorithm>
#include <cmath>

namespace my {

inline double spacing(double x, int exponent_bits, int mantissa_bits) {
  const int smallest = 2 - (1 << (exponent_bits - 1));
  const int exponent = x == 0 ? smallest : std::max(std::ilogb(x), smallest);
  return std::ldexp(1.0, exponent - (mantissa_bits + 1));
}

}  // namespace my
