// A mistake: is wrong in a way that no hint knows.
#pragma once
#include <algorithm>
#include <cmath>

namespace my {

inline double spacing(double x, int exponent_bits, int mantissa_bits) {
  const int bias = 1 << (exponent_bits - 1);
  const int exponent = x == 0 ? 1 - bias : std::max(std::ilogb(x), 1 - bias);
  return std::ldexp(1.0, exponent - mantissa_bits);
}

}  // namespace my
