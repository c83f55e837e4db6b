// A mistake: takes the exponent of frexp, whose fraction is below 1.
#pragma once
#include <algorithm>
#include <cmath>

namespace my {

inline double spacing(double x, int exponent_bits, int mantissa_bits) {
  const int smallest = 2 - (1 << (exponent_bits - 1));
  int exponent = 0;
  std::frexp(x, &exponent);
  if (x == 0) exponent = smallest;
  return std::ldexp(1.0, std::max(exponent, smallest) - mantissa_bits);
}

}  // namespace my
