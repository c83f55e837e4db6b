// A mistake: is wrong in a way that no hint knows.
#pragma once
#include <cmath>

namespace my {

inline double spacing(double x, int, int mantissa_bits) {
  return (std::abs(x) + 1e-3) * std::exp2(-mantissa_bits - 2);
}

}  // namespace my
