// 16 numbers to packed codes and back, by encode and decode (numeric/format.h) one after the other:
// for processors without vectors, and what quantize_loops.cpp does with them elsewhere.
#pragma once
#include <cstdint>
#include <cstring>

#include "common/numeric/blocks.h"

namespace napkin::cpu::plain {

template <Format f>
void encode_16(const float* x, float lift, float inverse, std::uint8_t* to) {
  std::uint8_t codes[16];
  for (int k = 0; k < 16; ++k) codes[k] = encode<f>(x[k] * lift * inverse, Overflow::saturate);
  if constexpr (f.bits() == 8)
    std::memcpy(to, codes, 16);
  else
    for (int k = 0; k < 8; ++k) to[k] = packed(codes[2 * k], codes[2 * k + 1]);
}

template <Format f>
void decode_16(const std::uint8_t* codes, float factor, float* y) {
  std::uint8_t apart[16];
  for (int k = 0; k < 16; ++k) apart[k] = codes[f.bits() == 8 ? k : k / 2];
  if constexpr (f.bits() == 4)
    for (int k = 0; k < 16; ++k) apart[k] = (apart[k] >> (k % 2 * 4)) & 15;
  for (int k = 0; k < 16; ++k) y[k] = decode<f>(apart[k]) * factor;
}

}  // namespace napkin::cpu::plain
