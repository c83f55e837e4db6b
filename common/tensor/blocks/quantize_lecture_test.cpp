// Lecture 3.6: what a scale, and a scale for each block, do for FP8 and FP4. The seeds and settings
// give the lecture's figures; the digits are those of PyTorch's random numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/tensor/blocks/quantization_error.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e2m1, formats::e4m3fn;

Tensor normal_values(std::uint64_t seed) {
  Generator generator(seed);
  return randn({4096}, {}, generator);
}

// 8 outliers among 4096 values.
Tensor values_with_outliers() {
  Tensor x = normal_values(1);
  x.slice(0, 0, 4096, 585).mul_(120);
  return x;
}

double percent(double part) { return std::round(1e4 * part) / 100; }

// Of the values that are no outliers, in percent.
double lost(const BlockTensor& q) {
  const auto read = dequantize(q).to_vector<float>();
  int zeros = 0, count = 0;
  for (std::size_t i = 0; i < read.size(); ++i)
    if (i % 585 != 0) {
      ++count;
      zeros += read[i] == 0 ? 1 : 0;
    }
  EXPECT_EQ(count, 4088);
  return percent(static_cast<double>(zeros) / count);
}

TEST(Lecture, Fp8NeedsAScale) {
  Tensor x = normal_values(0);
  x.mul_(1e-4);
  std::vector<float> direct;
  for (const float value : x.to_vector<float>())
    direct.push_back(decode<e4m3fn>(encode<e4m3fn>(value, Overflow::to_special)));
  EXPECT_EQ(quantization_error(x, from_data(direct, {4096})).zeros, 4096);
  const BlockTensor scaled = quantize(x, fp32_scaled(e4m3fn));
  EXPECT_EQ(quantization_error(x, scaled).zeros, 0);
  EXPECT_EQ(quantization_error(x, scaled).clipped, 0);
  EXPECT_EQ(percent(quantization_error(x, scaled).relative), 2.74);
}

TEST(Lecture, Fp4NeedsAScaleForEachBlock) {
  const Tensor x = values_with_outliers();
  const auto relative = [&](const BlockTensor& q) {
    return percent(quantization_error(x, q).relative);
  };
  const BlockTensor one = quantize(x, fp32_scaled(e2m1));
  EXPECT_EQ(lost(one), 100);
  EXPECT_EQ(relative(one), 17.52);
  const BlockTensor blocks = quantize(x, fp32_scaled(e2m1, 16));
  EXPECT_EQ(lost(blocks), 9.83);
  EXPECT_EQ(relative(blocks), 2.63);
}

TEST(Lecture, Nvfp4IsBetterWithItsTensorScale) {
  const Tensor x = values_with_outliers();
  const auto relative = [&](const BlockFormat& f) {
    return percent(quantization_error(x, quantize(x, f)).relative);
  };
  EXPECT_EQ(relative({.element = e2m1, .scale = e4m3fn, .size = 16}), 3.82);
  EXPECT_EQ(relative(nvfp4), 3.09);
}

TEST(BlockTensor, Fp8IsNotQuantizedAgain) {
  const Tensor x = ones({2, 32}).to(DType::e4m3fn);
  EXPECT_THROW(quantize(x, block_formats::mxfp8), Error);
  EXPECT_THROW(dequantize(quantize(ones({2, 32}), block_formats::mxfp8), DType::e5m2), Error);
}

}  // namespace
}  // namespace napkin
