// A mistake: leaves out a last block that is not full.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/numeric/format.h"

using namespace napkin;

namespace my {

inline float nearest_fp4(float x) {
  return x != x ? x : decode<formats::e2m1>(encode<formats::e2m1>(x, Overflow::saturate));
}

inline std::vector<float> fp4_block_quantize(const std::vector<float>& x, std::int64_t block) {
  const auto size = static_cast<std::size_t>(block);
  std::vector<float> read(x.size());
  for (std::size_t b = 0; b < x.size() / size; ++b) {
    float largest = 0;
    for (std::size_t i = b * size; i < (b + 1) * size; ++i)
      largest = std::max(largest, std::abs(x[i]));
    const float scale = largest == 0 ? 1 : largest / 6;
    for (std::size_t i = b * size; i < (b + 1) * size; ++i)
      read[i] = nearest_fp4(x[i] / scale) * scale;
  }
  return read;
}

}  // namespace my
