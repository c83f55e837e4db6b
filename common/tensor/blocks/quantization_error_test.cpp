#include <gtest/gtest.h>

#include <cmath>

#include "common/core/error.h"
#include "common/tensor/blocks/quantization_error.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e4m3fn;

// amax 957 and 632: what each rule does to the largest number of a block.
TEST(QuantizationError, TheScaleRuleDecidesWhatHappensToTheLargestNumber) {
  struct Case {
    float amax;
    ScaleRule rule;
    float scale, read;
  };
  for (const Case& c : {Case{957, ScaleRule::floor, 2, 896}, Case{957, ScaleRule::up, 4, 960},
                        Case{957, ScaleRule::nearest, 2, 896}, Case{632, ScaleRule::floor, 2, 640},
                        Case{632, ScaleRule::up, 2, 640}, Case{632, ScaleRule::nearest, 1, 448}}) {
    const Tensor x = from_data({1.0f, c.amax, -3.0f});
    const BlockTensor q = quantize(x, mx(e4m3fn, c.rule));
    EXPECT_EQ(q.decoded_scales().to_vector<float>(), std::vector<float>{c.scale}) << c.amax;
    EXPECT_EQ(dequantize(q).at({1}).to_double(), c.read) << c.amax;
    EXPECT_EQ(quantization_error(x, q).clipped, c.read < c.amax && c.read != 960 ? 1 : 0);
  }
}

// A block far below the tensor's largest number: its e4m3fn scale rounds to 0.
TEST(QuantizationError, ANvfp4BlockThatIsTooSmallIsLost) {
  Tensor x = full({48}, 6.0);
  x.slice(0, 16, 32).fill_(6.0f * 448 / 1e9f);
  const BlockTensor q = quantize(x, nvfp4);
  EXPECT_EQ(q.scales.to_vector<std::int32_t>(), (std::vector<std::int32_t>{0x7e, 0, 0x7e}));
  const QuantizationError error = quantization_error(x, q);
  EXPECT_EQ(error.zeros, 16);
  EXPECT_EQ(error.clipped, 0);
  EXPECT_EQ(error.worst, 16);
}

TEST(QuantizationError, CountsWhatBecameOfTheValues) {
  const Tensor x = from_data({3.0f, 0.0f, 4.0f, -1.0f}),
               read = from_data({3.0f, 0.0f, 0.0f, -3.0f});
  const QuantizationError e = quantization_error(x, read);
  EXPECT_EQ(e.count, 4);
  EXPECT_EQ(e.zeros, 1);
  EXPECT_EQ(e.worst, 2);
  EXPECT_EQ(e.worst_error, 4);
  EXPECT_EQ(e.relative, std::sqrt(20.0 / 26.0));
  EXPECT_THROW(quantization_error(x, read.slice(0, 0, 3)), Error);
}

}  // namespace
}  // namespace napkin
