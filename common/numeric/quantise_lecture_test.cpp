// Lecture 3.6: what a scale, and a scale for each block, do for FP8 and FP4. The seeds and settings
// give the lecture's figures; the digits are those of PyTorch's random numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/numeric/quantise.h"
#include "common/tensor/random.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e2m1, formats::e4m3fn;

std::vector<float> normal_values(std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = randn({4096}, {}, generator);
  const float* data = x.data<float>();
  return {data, data + 4096};
}

// 8 outliers among 4096 values.
std::vector<float> values_with_outliers() {
  std::vector<float> x = normal_values(1);
  for (std::size_t i = 0; i < x.size(); i += 585) x[i] *= 120;
  return x;
}

double percent(double part) { return std::round(1e4 * part) / 100; }

// Of the values that are no outliers, in percent.
double lost(const std::vector<float>& x, const Quantised& q) {
  const auto read = dequantise(q);
  int zeros = 0, count = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % 585 != 0) {
      ++count;
      zeros += read[i] == 0 ? 1 : 0;
    }
  EXPECT_EQ(count, 4088);
  return percent(static_cast<double>(zeros) / count);
}

TEST(Lecture, Fp8NeedsAScale) {
  std::vector<float> x = normal_values(0), direct;
  for (float& value : x) value *= 1e-4f;
  for (const float value : x)
    direct.push_back(decode<e4m3fn>(encode<e4m3fn>(value, Overflow::to_special)));
  EXPECT_EQ(quantisation_error(x, direct).zeros, 4096);
  const Quantised scaled = quantise(fp32_scaled(e4m3fn), x, one_for_all(64, 64));
  EXPECT_EQ(quantisation_error(x, scaled).zeros, 0);
  EXPECT_EQ(quantisation_error(x, scaled).clipped, 0);
  EXPECT_EQ(percent(quantisation_error(x, scaled).relative), 2.74);
}

TEST(Lecture, Fp4NeedsAScaleForEachBlock) {
  const std::vector<float> x = values_with_outliers();
  const auto relative = [&](const Quantised& q) {
    return percent(quantisation_error(x, q).relative);
  };
  const Quantised one = quantise(fp32_scaled(e2m1), x, one_for_all(1, 4096));
  EXPECT_EQ(lost(x, one), 100);
  EXPECT_EQ(relative(one), 17.52);
  const Quantised blocks = quantise(fp32_scaled(e2m1), x, blocks_of(1, 4096, 16));
  EXPECT_EQ(lost(x, blocks), 9.83);
  EXPECT_EQ(relative(blocks), 2.63);
}

TEST(Lecture, Nvfp4IsBetterWithItsTensorScale) {
  const std::vector<float> x = values_with_outliers();
  const auto relative = [&](const BlockFormat& f) {
    return percent(quantisation_error(x, quantise(f, x, 1, 4096)).relative);
  };
  EXPECT_EQ(relative({.element = e2m1, .scale = e4m3fn, .size = 16}), 3.82);
  EXPECT_EQ(relative(nvfp4), 3.09);
}

}  // namespace
}  // namespace napkin
