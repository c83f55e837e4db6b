// Block tensors against plain loops over the rules, on every instruction set, with any number of
// threads, for every layout.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "common/core/parallel.h"
#include "common/numeric/format_info.h"
#include "common/tensor/block_tensor.h"
#include "common/tensor/create.h"
#include "common/tensor/fast/loops.h"
#include "common/tensor/testing/plain_blocks.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e2m1, formats::e4m3fn, formats::e5m2;

std::vector<BlockFormat> all_formats_of_blocks() {
  std::vector<BlockFormat> all = {nvfp4, {.element = e4m3fn, .scale = e4m3fn, .size = 16}};
  for (const Format& element : {e4m3fn, e5m2, e2m1}) {
    for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
      all.push_back(mx(element, rule));
    for (const std::int64_t size :
         {BlockFormat::whole_tensor, BlockFormat::whole_row, std::int64_t{1}, std::int64_t{5},
          std::int64_t{16}, std::int64_t{2049}, std::int64_t{5001}})
      all.push_back(fp32_scaled(element, size));
  }
  all.push_back({.element = e2m1, .scale = formats::e8m0, .size = 7});
  return all;
}

// Numbers of every scale: blocks of ordinary ones, denormal, huge, zeros; ties of small formats.
std::vector<float> telling_values(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  int exponent = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (random() % 24 == 0) exponent = static_cast<int>(random() % 270) - 145;
    if (random() % 24 == 0) exponent = 0;
    float x = normal(random);
    if (random() % 4 == 0) x = std::round(4 * x) / 4;
    if (random() % 16 == 0) x = 0;
    if (random() % 64 == 0) x *= 300;
    x = std::ldexp(x, exponent);
    values.push_back(std::isfinite(x) ? x : 1);
  }
  return values;
}

Tensor telling_tensor(const Shape& shape, unsigned seed) {
  return from_data(telling_values(count_elements(shape), seed), shape);
}

void expect_plain(const Tensor& x, const BlockFormat& f) {
  const plain::Blocked want = plain::quantise(x, f);
  const BlockTensor q = quantise(x, f);
  EXPECT_TRUE(plain::difference(q, want).empty()) << plain::difference(q, want);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16, DType::fp64}) {
    const Tensor read = dequantise(q, dtype);
    const std::string found = plain::difference(read, plain::dequantise(want));
    EXPECT_TRUE(found.empty()) << found;
  }
}

TEST(QuantiseOnCpu, EqualsPlainLoopsOnEveryLevelWithAnyNumberOfThreads) {
  const int before = threads();
  for (const std::string& level : fast::levels()) {
    const fast::ForcedLevel forced(level);
    for (const int count : {1, 2, 8}) {
      set_threads(count);
      for (const BlockFormat& f : all_formats_of_blocks()) {
        SCOPED_TRACE(level + " " + std::to_string(count) + " threads, " + name(f.element) + " " +
                     name(f.scale) + " " + std::to_string(f.size));
        expect_plain(telling_tensor({3, 12345}, 1), f);
        expect_plain(telling_tensor({97, 64}, 2), f);
        expect_plain(telling_tensor({41, 33}, 3), f);
        if (testing::Test::HasFailure()) return set_threads(before);
      }
    }
  }
  set_threads(before);
}

TEST(QuantiseOnCpu, TakesEveryLayoutRankAndFloatingDtype) {
  const Tensor x = telling_tensor({6, 5, 70}, 4);
  const Tensor layouts[] = {x,
                            x.transpose(0, 2),
                            x.slice(2, 3, 67, 3),
                            x.slice(1, 1, 4),
                            x.permute({1, 2, 0}),
                            x.select(0, 2).unsqueeze(0).expand({4, 5, 70}),
                            x[1][2][3],
                            x[3][1],
                            x.unfold(2, 20, 7)};
  for (const Tensor& view : layouts)
    for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16, DType::fp64})
      for (const BlockFormat& f : {mxfp8, mxfp4, mxfp8_e5m2}) {
        SCOPED_TRACE(name(dtype));
        expect_plain(view.to(dtype), f);
      }
  for (const Tensor& view : layouts) {
    expect_plain(view, nvfp4);
    expect_plain(view, fp32_scaled(e2m1, BlockFormat::whole_row));
  }
}

TEST(QuantiseOnCpu, ResultsThatAreStreamedAreTheSame) {
  const Tensor x = telling_tensor({1, (8 << 20) + 77}, 5);
  const BlockTensor q = quantise(x, mxfp8);
  const plain::Blocked want = plain::quantise(x, mxfp8);
  EXPECT_EQ(plain::difference(q, want), "");
  for (const DType dtype : {DType::fp32, DType::fp64})
    EXPECT_EQ(plain::difference(dequantise(q, dtype), plain::dequantise(want)), "");
}

}  // namespace
}  // namespace napkin
