// A mistake: is wrong in a way that no hint knows.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace my {

inline std::uint16_t bf16_round(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if (x != x) return 0x7FC0;
  const std::uint32_t rounded = ((bits & 0x7FFFFFFF) + 0x7FFF + (bits >> 16 & 1)) >> 16;
  const std::uint32_t sign = bits >> 16 & 0x8000;
  return static_cast<std::uint16_t>(sign | std::min(rounded, std::uint32_t{0x7F7F}));
}

}  // namespace my
