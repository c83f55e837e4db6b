// Exercise 02.1: from FP32 to BF16 (lecture 3.3).
#pragma once
#include <bit>
#include <cstdint>

namespace my {

inline std::uint16_t bf16_round(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t kept = bits >> 16, dropped = bits & 0xFFFF;
  if (x != x) return static_cast<std::uint16_t>(kept | 0x40);  // a bit that keeps it a NaN
  const bool odd = (kept & 1) != 0;
  const bool up = dropped > 0x8000 || (dropped == 0x8000 && odd);
  return static_cast<std::uint16_t>(kept +
                                    (up ? 1 : 0));  // a carry goes into the exponent, rightly
}

}  // namespace my
