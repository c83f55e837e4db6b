// A mistake: mends a NaN that became infinity, not one that went past the end.
#pragma once
#include <bit>
#include <cstdint>

namespace my {

inline std::uint16_t bf16_round(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  const bool became_infinity = x != x && (rounded & 0x7FFF) == 0x7F80;
  return static_cast<std::uint16_t>(became_infinity ? rounded | 1 : rounded);
}

}  // namespace my
