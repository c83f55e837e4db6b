// What softmax is made of, one number at a time: one rule for CPU and GPU.
#pragma once
#include <cmath>

#include "common/numeric/functions.h"

namespace napkin {

// What is done along one dimension.
enum class RowOperation : std::uint8_t { softmax, log_softmax, cumsum };

// exp_rule for numbers up to 0: its bits without its upper end; 0 where x < -104, not a product
// that vanishes, which would be slow.
NAPKIN_HD inline float exp_of(float x) {
  const detail::Reduced r = detail::reduced(x);
  const float power = detail::scaled(1 + detail::small_expm1(r.rest), r.n);
  return x < -104 ? 0 : power;
}
NAPKIN_HD inline double exp_of(double x) { return std::exp(x); }
NAPKIN_HD inline float log_of(float x) { return log_rule(x); }
NAPKIN_HD inline double log_of(double x) { return std::log(x); }

// NaN is passed over: it comes back in the sum of powers.
template <class T>
NAPKIN_HD T larger(T a, T b) {
  return b > a ? b : a;
}

}  // namespace napkin
