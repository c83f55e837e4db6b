// A mistake: gives the distance to the next smaller number.
#pragma once
#include <algorithm>
#include <cmath>

namespace my {

inline double spacing(double x, int exponent_bits, int mantissa_bits) {
  const int smallest = 2 - (1 << (exponent_bits - 1));
  int exponent = smallest;
  while (std::ldexp(1.0, exponent + 1) < std::abs(x)) ++exponent;
  return std::ldexp(1.0, exponent - mantissa_bits);
}

}  // namespace my
