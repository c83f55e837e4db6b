// A mistake: is wrong in a way that no hint knows.
#pragma once
#include <bit>
#include <cstdint>

namespace my {

inline std::uint16_t bf16_round(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if (x != x) return 0x7FC0;
  return static_cast<std::uint16_t>((bits + 0x8000 - (bits >> 16 & 1)) >> 16);
}

}  // namespace my
