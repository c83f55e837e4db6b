// A mistake: has one scale for all numbers.
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

inline std::vector<float> fp4_block_quantize(const std::vector<float>& x, std::int64_t) {
  float largest = 0;
  for (const float value : x) largest = std::max(largest, std::abs(value));
  const float scale = largest / 6;
  std::vector<float> read;
  for (const float value : x) read.push_back(scale == 0 ? 0 : nearest_fp4(value / scale) * scale);
  return read;
}

}  // namespace my
