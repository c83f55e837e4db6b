// Block tensors against plain loops over the rules, on every instruction set, with any number of
// threads, for every layout.
#include <gtest/gtest.h>

#include "common/core/parallel.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/testing/block_difference.h"
#include "common/tensor/testing/block_samples.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e2m1;

void expect_plain(const Tensor& x, const BlockFormat& f) {
  const reference::Blocked want = reference::quantize(x, f);
  const BlockTensor q = quantize(x, f);
  EXPECT_TRUE(difference(q, want).empty()) << difference(q, want);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16, DType::fp64}) {
    const Tensor read = dequantize(q, dtype);
    const std::string found = difference(read, reference::dequantize(want));
    EXPECT_TRUE(found.empty()) << found;
  }
}

TEST(QuantizeOnCpu, EqualsPlainLoopsOnEveryLevelWithAnyNumberOfThreads) {
  const int before = threads();
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (const int count : {1, 2, 8}) {
      set_threads(count);
      for (const BlockFormat& f : sample_block_formats()) {
        SCOPED_TRACE(fmt::format("{}, {} threads, {}", level, count, described(f)));
        expect_plain(telling_tensor({3, 12345}, 1), f);
        expect_plain(telling_tensor({97, 64}, 2), f);
        expect_plain(telling_tensor({41, 33}, 3), f);
        if (testing::Test::HasFailure()) return set_threads(before);
      }
    }
  }
  set_threads(before);
}

TEST(QuantizeOnCpu, TakesEveryLayoutRankAndFloatingDtype) {
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

TEST(QuantizeOnCpu, ResultsThatAreStreamedAreTheSame) {
  const Tensor x = telling_tensor({1, (8 << 20) + 77}, 5);
  const BlockTensor q = quantize(x, mxfp8);
  const reference::Blocked want = reference::quantize(x, mxfp8);
  EXPECT_EQ(difference(q, want), "");
  for (const DType dtype : {DType::fp32, DType::fp64})
    EXPECT_EQ(difference(dequantize(q, dtype), reference::dequantize(want)), "");
}

}  // namespace
}  // namespace napkin
