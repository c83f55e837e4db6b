// A mistake: cuts the lower half off in place of rounding.
#pragma once
#include <bit>
#include <cstdint>

namespace my {

inline float upper_half(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) >> 16 << 16);
}

inline float bf16_add(float a, float b) { return upper_half(upper_half(a) + upper_half(b)); }

}  // namespace my
