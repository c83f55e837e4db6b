// Block formats and numbers that tell whether blocks are right.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "common/numeric/blocks.h"
#include "common/numeric/format_info.h"
#include "common/tensor/create.h"

namespace napkin {

inline std::vector<BlockFormat> sample_block_formats() {
  using namespace block_formats;
  using formats::e2m1, formats::e4m3fn, formats::e5m2;
  std::vector<BlockFormat> all = {nvfp4, {.element = e4m3fn, .scale = e4m3fn, .size = 16}};
  for (const Format& element : {e4m3fn, e5m2, e2m1}) {
    for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
      all.push_back(mx(element, rule));
    for (const std::int64_t size : {-1, 0, 1, 5, 16, 2049, 5001})  // a row, a tensor, so many
      all.push_back(fp32_scaled(element, size));
  }
  all.push_back({.element = e2m1, .scale = formats::e8m0, .size = 7});
  return all;
}

inline std::string described(const BlockFormat& f) {
  return fmt::format("blocks of {} {} with scales of {}", f.size, name(f.element), name(f.scale));
}

// Numbers of every scale: ordinary, denormal, huge; zeros, outliers, ties of small formats.
inline Tensor telling_tensor(const Shape& shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  int exponent = 0;
  for (std::int64_t i = 0; i < count_elements(shape); ++i) {
    if (random() % 24 == 0) exponent = static_cast<int>(random() % 270) - 145;
    if (random() % 24 == 0) exponent = 0;
    float x = normal(random);
    if (random() % 4 == 0) x = std::round(4 * x) / 4;
    if (random() % 16 == 0) x = 0;
    if (random() % 64 == 0) x *= 300;
    x = std::ldexp(x, exponent);
    values.push_back(std::isfinite(x) ? x : 1);
  }
  return from_data(values, shape);
}

}  // namespace napkin
