// A mistake: is wrong in a way that no hint knows.
#pragma once
#include <bit>
#include <cstdint>

namespace my {

inline std::uint16_t bf16_round(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) & 0x7FFFFFFF;
  if (bits > 0x7F800000) return 0x7FC0;
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

}  // namespace my
