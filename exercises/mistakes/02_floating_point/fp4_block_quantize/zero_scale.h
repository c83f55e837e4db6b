// A mistake: divides by the scale of a block of zeros.
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
  std::vector<float> read(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += static_cast<std::size_t>(block)) {
    const std::size_t end = std::min(begin + static_cast<std::size_t>(block), x.size());
    float largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(x[i]));
    const float scale = largest / 6;
    for (std::size_t i = begin; i < end; ++i) read[i] = nearest_fp4(x[i] / scale) * scale;
  }
  return read;
}

}  // namespace my
