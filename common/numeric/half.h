// BFloat16 and Float16: the two 16-bit floating-point types that tensors store.
//
// bf16: 1 sign, 8 exponent, 7 mantissa bits: the upper half of an FP32 number (lecture 3.3).
// fp16: 1 sign, 5 exponent, 10 mantissa bits: IEEE 754 binary16.
// Both round to nearest, ties to even; what rounds past the largest number becomes infinity; any
// NaN becomes the quiet NaN of the same sign. A double is rounded once, never through float
// (PyTorch goes through float: 1 + 2^-8 + 2^-40 is 1.0 there and 1.0078125 here).
#pragma once
#include <bit>
#include <cstdint>

#include "common/core/config.h"

namespace napkin {

// The code of x in an IEEE-like format with one sign bit, by integer arithmetic alone.
// Exact for float too: every float is a double.
template <int exponent_bits, int mantissa_bits>
NAPKIN_HD constexpr std::uint16_t encode_ieee(double x) {
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  constexpr std::uint64_t infinity = ((1ull << exponent_bits) - 1) << mantissa_bits;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t sign = (bits >> 63) << (exponent_bits + mantissa_bits);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  const std::uint64_t fraction = bits & ((1ull << 52) - 1);
  if (exponent == 1024) {
    const std::uint64_t quiet = fraction != 0 ? 1ull << (mantissa_bits - 1) : 0;
    return static_cast<std::uint16_t>(sign | infinity | quiet);
  }
  if (exponent < -bias - mantissa_bits) return static_cast<std::uint16_t>(sign);  // under half
  // Drop all but mantissa_bits bits; below the smallest normal exponent one more for each step.
  const bool normal = exponent > -bias;
  const int drop = 52 - mantissa_bits + (normal ? 0 : 1 - bias - exponent);
  const std::uint64_t significand = (1ull << 52) | fraction;
  const std::uint64_t kept = significand >> drop;
  const std::uint64_t rest = significand & ((1ull << drop) - 1);
  const std::uint64_t half = 1ull << (drop - 1);
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  // kept still has its leading 1 where the number is normal: it adds 1 to the exponent field. A
  // carry out of the mantissa does the same, into infinity if need be.
  const auto field = static_cast<std::uint64_t>(normal ? exponent + bias - 1 : 0) << mantissa_bits;
  const std::uint64_t code = field + kept + (up ? 1 : 0);
  return static_cast<std::uint16_t>(sign | (code < infinity ? code : infinity));
}

// The number behind a code, exactly; float holds every bf16 and fp16 number.
template <int exponent_bits, int mantissa_bits>
NAPKIN_HD constexpr float decode_ieee(std::uint16_t code) {
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  constexpr int top = (1 << exponent_bits) - 1;
  const int exponent = (code >> mantissa_bits) & top;
  const std::uint32_t mantissa = code & ((1u << mantissa_bits) - 1);
  const std::uint32_t sign = static_cast<std::uint32_t>(code >> (exponent_bits + mantissa_bits))
                             << 31;
  const std::uint32_t shifted = mantissa << (23 - mantissa_bits);
  if (exponent == top) return std::bit_cast<float>(sign | 0x7f800000u | shifted);
  if (exponent == 0 && exponent_bits < 8) {  // subnormal: mantissa x 2^(1 - bias - mantissa_bits)
    const auto scale = static_cast<std::uint32_t>(127 + 1 - bias - mantissa_bits) << 23;
    const float magnitude = static_cast<float>(mantissa) * std::bit_cast<float>(scale);
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  const int float_exponent = exponent_bits == 8 ? exponent : exponent + 127 - bias;
  return std::bit_cast<float>(sign | static_cast<std::uint32_t>(float_exponent) << 23 | shifted);
}

// A 16-bit number: stored bits, converted explicitly.
template <int exponent_bits, int mantissa_bits>
struct Half {
  std::uint16_t bits = 0;

  constexpr Half() = default;
  NAPKIN_HD constexpr explicit Half(double x)
      : bits(encode_ieee<exponent_bits, mantissa_bits>(x)) {}
  NAPKIN_HD constexpr explicit Half(float x) : Half(static_cast<double>(x)) {}
  NAPKIN_HD constexpr explicit operator float() const {
    return decode_ieee<exponent_bits, mantissa_bits>(bits);
  }
  NAPKIN_HD constexpr explicit operator double() const { return static_cast<float>(*this); }
  NAPKIN_HD static constexpr Half from_bits(std::uint16_t code) {
    Half h;
    h.bits = code;
    return h;
  }
  // Equal numbers, not equal bits: -0 equals 0, NaN equals nothing.
  NAPKIN_HD friend constexpr bool operator==(Half a, Half b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

using BFloat16 = Half<8, 7>;
using Float16 = Half<5, 10>;

}  // namespace napkin
