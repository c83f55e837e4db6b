// Small floats to and from float without branches, so that loops of them are vectorised. The same
// numbers as small_float.h, which is the definition; the test compares them. Of NaN, bf16 and fp16
// keep more bits.
#pragma once
#include <algorithm>
#include <cstdint>

#include "common/core/config.h"
#include "common/numeric/convert.h"

namespace napkin {

// Half a unit in the last place kept, less the smallest bit unless the kept part is odd: adding it
// rounds to nearest, ties to even. A carry runs into the exponent, as it should.
NAPKIN_HD constexpr std::uint32_t rounded_up(std::uint32_t bits, int dropped) {
  return bits + ((1u << (dropped - 1)) - 1) + ((bits >> dropped) & 1);
}

NAPKIN_HD constexpr std::uint16_t bf16_code(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t quiet_nan = ((bits >> 16) & 0x8000) | 0x7fc0;
  const std::uint32_t number = rounded_up(bits, 16) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? quiet_nan : number);
}

NAPKIN_HD constexpr std::uint16_t fp16_code(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  // From 2^-14 on: exponent bias 127 becomes 15, 13 bits are rounded off; 65520 = 0x477ff000 and
  // what follows is past the largest number.
  const std::uint32_t normal = (rounded_up(magnitude, 13) - (112u << 23)) >> 13;
  // Below: adding 1/2 makes the float adder round to multiples of 2^-24, the smallest fp16.
  const float shifted = __builtin_bit_cast(float, magnitude) + 0.5f;
  const std::uint32_t subnormal = __builtin_bit_cast(std::uint32_t, shifted) - 0x3f000000;
  std::uint32_t code = magnitude < 0x38800000 ? subnormal : normal;
  code = magnitude >= 0x477ff000 ? 0x7c00 : code;
  code = magnitude > 0x7f800000 ? 0x7e00 : code;
  return static_cast<std::uint16_t>(code | ((bits >> 16) & 0x8000));
}

NAPKIN_HD constexpr float bf16_value(std::uint16_t code) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(code) << 16);
}

NAPKIN_HD constexpr float fp16_value(std::uint16_t code) {
  const std::uint32_t sign = static_cast<std::uint32_t>(code & 0x8000) << 16;
  const std::uint32_t shifted = static_cast<std::uint32_t>(code & 0x7fff) << 13;
  const std::uint32_t exponent = shifted & 0x0f800000;
  const std::uint32_t normal = shifted + (112u << 23);
  // Infinity; NaN keeps its bits and becomes quiet, as by the processor's own instruction.
  const std::uint32_t quiet = shifted != exponent ? 1u << 22 : 0;
  const std::uint32_t infinite = (shifted + (224u << 23)) | quiet;
  // A subnormal counts multiples of 2^-24: put behind the leading 1 of 2^-14, then take that away.
  const float subnormal = __builtin_bit_cast(float, shifted + (113u << 23)) - 0x1p-14f;
  std::uint32_t bits = exponent == 0 ? __builtin_bit_cast(std::uint32_t, subnormal) : normal;
  bits = exponent == 0x0f800000 ? infinite : bits;
  return __builtin_bit_cast(float, bits | sign);
}

// An FP8 code. 2^(exponent + dropped bits) is added to |x|, where the spacing of FP32 is the
// format's at x: the sum is rounded as x should be, and its last bits count those spacings.
template <class Small>
NAPKIN_RULE std::uint8_t fp8_code(float x, Overflow overflow) {
  constexpr Format f = Small::format;
  constexpr int drop = 23 - f.mantissa_bits;
  constexpr std::int32_t first = (128 - f.bias) << 23;  // the smallest normal number
  constexpr auto largest = static_cast<std::int32_t>(f.largest_code()) << drop;
  const auto bits = __builtin_bit_cast(std::int32_t, x);
  const std::int32_t magnitude = bits & 0x7fffffff;
  // The number from which on all have one code: the largest, or what the code above would be.
  const std::int32_t past = overflow == Overflow::saturate ? 0 : 1 << drop;
  const std::int32_t cut = std::min(magnitude, largest + ((127 - f.bias) << 23) + past);
  const std::int32_t exponent = std::max(cut & 0x7f800000, first);
  const std::int32_t base = exponent + (drop << 23);
  const float sum = __builtin_bit_cast(float, cut) + __builtin_bit_cast(float, base);
  const std::int32_t number =
      __builtin_bit_cast(std::int32_t, sum) - base + ((exponent - first) >> drop);
  const std::int32_t code =
      magnitude > 0x7f800000 ? static_cast<std::int32_t>(f.nan_code(false)) : number;
  return static_cast<std::uint8_t>(code | ((bits >> 24) & 0x80));
}

template <class Small>
NAPKIN_RULE float value_of(Small x) {
  if constexpr (std::is_same_v<Small, BFloat16>)
    return bf16_value(x.bits);
  else if constexpr (std::is_same_v<Small, Float16>)
    return fp16_value(x.bits);
  else
    return static_cast<float>(x);
}

template <class Small>
NAPKIN_RULE Small small_from(float x, Overflow overflow = Small::usual_overflow) {
  if constexpr (Small::format.bits() == 8)
    return Small::from_bits(fp8_code<Small>(x, overflow));
  else if (overflow != Small::usual_overflow)
    return Small(x, overflow);
  else if constexpr (std::is_same_v<Small, BFloat16>)
    return Small::from_bits(bf16_code(x));
  else
    return Small::from_bits(fp16_code(x));
}

// The rule of convert.h.
template <class To, class From>
NAPKIN_RULE To converted(From x, Overflow overflow = usual_overflow(dtype_of<To>)) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (is_small_float<From>)
    return converted<To>(value_of(x), overflow);
  else if constexpr (is_small_float<To> && std::is_same_v<From, float>)
    return small_from<To>(x, overflow);
  else
    return convert<To>(x, overflow);
}

}  // namespace napkin
