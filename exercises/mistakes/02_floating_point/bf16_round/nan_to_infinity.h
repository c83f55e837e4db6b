// A mistake: rounds NaN like a number.
#pragma once
#include <bit>
#include <cstdint>

namespace my {

inline std::uint16_t bf16_round(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

}  // namespace my
