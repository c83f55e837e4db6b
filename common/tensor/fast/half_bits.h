// bf16 and fp16 to and from float without branches, so that loops of them are vectorised. The same
// numbers as half.h, which is the definition, to the bit; the test compares them.
#pragma once
#include <bit>
#include <cstdint>

#include "common/core/config.h"
#include "common/numeric/half.h"

namespace napkin::fast {

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
  const std::uint32_t infinite = shifted + (224u << 23);
  // A subnormal counts multiples of 2^-24: put behind the leading 1 of 2^-14, then take that away.
  const float subnormal = __builtin_bit_cast(float, shifted + (113u << 23)) - 0x1p-14f;
  std::uint32_t bits = exponent == 0 ? __builtin_bit_cast(std::uint32_t, subnormal) : normal;
  bits = exponent == 0x0f800000 ? infinite : bits;
  return __builtin_bit_cast(float, bits | sign);
}

}  // namespace napkin::fast
