// exp, log, tanh and their kind in FP32, one scalar at a time, for CPU and GPU.
//
// No branches, no tables, nothing fused: compilers make vector code of loops over them, and every
// instruction set and every GPU gives the same bits. Ranges are reduced as by Cody and Waite
// ("Software Manual for the Elementary Functions", 1980); polynomials are nearly minimax, their
// coefficients rounded one after the other. Beside each function stands how far it may be from the
// exact result, in units of the result's last place, for every float; functions_test.cpp checks it.
#pragma once
#include <cstdint>
#include <limits>

#include "common/core/config.h"

namespace napkin {
namespace detail {

NAPKIN_HD constexpr std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
NAPKIN_HD constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

NAPKIN_HD constexpr float magnitude(float x) { return float_of(bits_of(x) & 0x7fffffffu); }
// magnitude, with the sign of the other.
NAPKIN_HD constexpr float with_sign_of(float sign, float magnitude) {
  return float_of((bits_of(sign) & 0x80000000u) | (bits_of(magnitude) & 0x7fffffffu));
}

// 2^n for -126 <= n <= 127. Any other n, as a NaN may give, makes some float.
NAPKIN_HD constexpr float power_of_2(std::int32_t n) {
  return float_of((static_cast<std::uint32_t>(n) + 127u) << 23);
}

// x 2^n for -252 <= n <= 254; what becomes subnormal is rounded once.
NAPKIN_HD constexpr float scaled(float x, std::int32_t n) {
  const std::int32_t half = n >> 1;
  return x * power_of_2(half) * power_of_2(n - half);
}

// x = n ln 2 + rest, |rest| <= 0.35, for |x| < 1000.
struct Reduced {
  std::int32_t n;
  float rest;
};
NAPKIN_HD constexpr Reduced reduced(float x) {
  constexpr float shift = 0x1.8p23f;  // a sum with it has no place for fractions
  const float shifted = x * 0x1.715476p0f + shift;
  const float n = shifted - shift;
  // The first part of ln 2 has 9 bits: its product with n is exact.
  const float rest = (x - n * 0x1.63p-1f) - n * -0x1.bd0106p-13f;
  return {static_cast<std::int32_t>(bits_of(shifted) - bits_of(shift)), rest};
}

// e^r - 1 for |r| <= 0.38.
NAPKIN_HD constexpr float small_expm1(float r) {
  float p = 0x1.9cb030p-13f;
  p = p * r + 0x1.6d9444p-10f;
  p = p * r + 0x1.1114eap-7f;
  p = p * r + 0x1.5554b0p-5f;
  p = p * r + 0x1.555552p-3f;
  p = p * r + 0x1.0p-1f;
  return r + r * r * p;
}

// 2 sqrt(2 / pi), of the gelu that uses tanh.
inline constexpr double two_gelu_slope = 1.5957691216057308;

}  // namespace detail

// e^x. 1 ulp, subnormal results too.
NAPKIN_HD constexpr float exp_rule(float x) {
  float y = x < -104 ? -104 : x;
  y = y > 89 ? 89 : y;
  const detail::Reduced r = detail::reduced(y);
  return detail::scaled(1 + detail::small_expm1(r.rest), r.n);
}

// The natural logarithm. 1 ulp; of 0 it is -inf, of negative numbers NaN.
NAPKIN_HD constexpr float log_rule(float x) {
  const bool subnormal = x < 0x1p-126f;
  const std::uint32_t bits = detail::bits_of(subnormal ? x * 0x1p23f : x);
  // x = 2^n m, m between the roots of 1/2 and 2.
  const std::int32_t n = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = detail::float_of(bits - (static_cast<std::uint32_t>(n) << 23)) - 1;
  float p = 0x1.1b43f6p-4f;
  p = p * f - 0x1.e2e45cp-4f;
  p = p * f + 0x1.e64d38p-4f;
  p = p * f - 0x1.fb43e0p-4f;
  p = p * f + 0x1.233308p-3f;
  p = p * f - 0x1.5562e0p-3f;
  p = p * f + 0x1.99a542p-3f;
  p = p * f - 0x1.ffffeep-3f;
  p = p * f + 0x1.555546p-2f;
  const float e = static_cast<float>(subnormal ? n - 23 : n);
  const float square = f * f;
  const float tail = f * square * p + e * -0x1.bd0106p-13f;
  const float log = e * 0x1.63p-1f + (f - (0.5f * square - tail));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const float outside = x == 0 ? -infinity : nan;
  return x > 0 ? (x < infinity ? log : x) : outside;
}

// A polynomial, or 1 - 2 / (e^2|x| + 1) where that is more than a half. 2 ulp.
NAPKIN_HD constexpr float tanh_rule(float x) {
  const float magnitude = detail::magnitude(x);
  const float large = 1 - 2 / (exp_rule(2 * magnitude) + 1);
  const float square = x * x;
  float p = -0x1.74569ep-8f;
  p = p * square + 0x1.51d78ep-6f;
  p = p * square - 0x1.b831e8p-5f;
  p = p * square + 0x1.1106e6p-3f;
  p = p * square - 0x1.555532p-2f;
  const float small = magnitude + magnitude * square * p;
  return detail::with_sign_of(x, magnitude < 0.625f ? small : large);
}

// 1 / (1 + e^-x). 2 ulp, also where it is tiny.
NAPKIN_HD constexpr float sigmoid_rule(float x) {
  const float e = exp_rule(-detail::magnitude(x));
  const float ratio = (x < 0 ? e * e : 1) / (1 + e);
  return x < 0 ? e - ratio : ratio;  // e / (1 + e) = e - e^2 / (1 + e) for negative x
}

// x Phi(x), Phi the normal distribution: gelu(x) = x/2 (1 + erf(x / sqrt 2)). 4 ulp, also where it
// is tiny.
NAPKIN_HD constexpr float gelu_rule(float x) {
  // Near 0, Phi(x) = 1/2 + x p(x^2).
  const float square = x * x;
  float p = -0x1.123726p-17f;
  p = p * square + 0x1.e272eap-14f;
  p = p * square - 0x1.376ef4p-10f;
  p = p * square + 0x1.46d55ap-7f;
  p = p * square - 0x1.105862p-4f;
  p = p * square + 0x1.988454p-2f;
  const float near = x * (0.5f + x * p);
  // Elsewhere t Phi(-t) = e^(-t^2/2) q, q a polynomial of 1 / (t + 2); t^2 is taken in two parts.
  const float t = detail::magnitude(x) > 15 ? 15 : detail::magnitude(x);
  const float head = detail::float_of(detail::bits_of(t) & 0xfffff000u);
  const detail::Reduced r = detail::reduced(-0.5f * (head * head));
  const float e1 = detail::small_expm1(r.rest - 0.5f * ((t - head) * (t + head)));
  const float v = 1 / (t + 2);
  float q = 0x1.46d714p+6f;
  q = q * v - 0x1.3510e2p+7f;
  q = q * v + 0x1.b4b89cp+6f;
  q = q * v - 0x1.cc51bcp+4f;
  q = q * v + 0x1.aa3168p-2f;
  q = q * v - 0x1.fdbff2p+0f;
  q = q * v - 0x1.7ff020p-2f;
  q = q * v - 0x1.ac0bdcp-11f;
  q = q * v + 0x1.988770p-2f;
  const float tail = detail::scaled(q + q * e1, r.n);
  const float far = x < 0 ? -tail : x - tail;
  return t < 1 ? near : far;
}

// x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)): gelu as PyTorch's approximate='tanh'. 4 ulp.
NAPKIN_HD constexpr float gelu_tanh_rule(float x) {
  const double t = detail::magnitude(x) > 12 ? 12 : detail::magnitude(x);
  const double y = -detail::two_gelu_slope * t * (1 + 0.044715 * (t * t));
  const double shifted = y * 0x1.71547652b82fep0 + 0x1.8p52;
  const double n = shifted - 0x1.8p52;
  const float e = 1 + detail::small_expm1(static_cast<float>(y - n * 0x1.62e42fefa39efp-1));
  const auto power = static_cast<std::int32_t>(__builtin_bit_cast(std::uint64_t, shifted));
  const float below = 1 + detail::scaled(e, power);
  return x < 0 ? detail::scaled(static_cast<float>(-t) * e / below, power) : x / below;
}

}  // namespace napkin
