// Exercise 02.3: how far apart the numbers of a format are (lecture 3.1, 3.3 and 3.4).
#pragma once
#include <algorithm>
#include <cmath>

namespace my {

inline double spacing(double x, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int smallest = 1 - bias;  // subnormal numbers are as far apart as the smallest normal ones
  const int exponent = x == 0 ? smallest : std::max(std::ilogb(x), smallest);
  return std::ldexp(1.0, exponent - mantissa_bits);
}

}  // namespace my
