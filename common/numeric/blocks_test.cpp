#include "common/numeric/blocks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/numeric/format_info.h"

namespace napkin {
namespace {

using formats::e2m1, formats::e4m3fn, formats::e5m2;

static_assert(block_scale(block_formats::nvfp4, 0, 1) == 0);
static_assert(packed(0x3, 0xa) == 0xa3);

// The scale of each rule against its definition in FP64: at powers of two, at M, at 1.5 M / 2,
// where floor, up and nearest change, and beside these.
TEST(Blocks, MxScalesAreTheirDefinition) {
  for (const Format& element : {e4m3fn, e5m2, e2m1})
    for (int exponent = -149; exponent < 128; ++exponent)
      for (const double mantissa : {1.0, 1.125, 1.3125, 1.5, 1.75, 1.875}) {
        const auto middle = static_cast<float>(std::ldexp(mantissa, exponent));
        for (const float amax :
             {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1e38f)}) {
          if (amax == 0) continue;
          const double ratio = double{amax} / largest(element);
          const auto expect = [&](ScaleRule rule, int log2) {
            ASSERT_EQ(mx_scale(largest(element), rule, amax),
                      static_cast<std::uint32_t>(std::clamp(log2 + 127, 0, 254)))
                << name(element) << " " << amax;
          };
          const int low = std::ilogb(ratio);
          expect(ScaleRule::floor, std::ilogb(amax) - std::ilogb(largest(element)));
          expect(ScaleRule::up, low + (ratio > std::ldexp(1.0, low) ? 1 : 0));
          expect(ScaleRule::nearest, low + (ratio >= std::ldexp(1.5, low) ? 1 : 0));
        }
      }
}

TEST(Blocks, AMatrixFallsIntoBlocksRowByRow) {
  const Blocks b = blocks_of(3, 70, 32);
  EXPECT_EQ(b.per_row(), 3);
  EXPECT_EQ(b.count(), 9);
  EXPECT_EQ(b.row(5), 1);
  EXPECT_EQ(b.column(5), 64);
  EXPECT_EQ(b.length(5), 6);
  EXPECT_EQ(b.length(4), 32);
  EXPECT_EQ(b.row_bytes(4), 35);
  EXPECT_EQ(blocks_of(3, 71, 32).row_bytes(4), 36);
  EXPECT_EQ(blocks_of(3, 70, BlockFormat::whole_row).count(), 3);
  EXPECT_EQ(blocks_of(3, 70, 1000).count(), 3);
  EXPECT_EQ(blocks_of(3, 0, BlockFormat::whole_row).count(), 0);
  EXPECT_EQ(blocks_of(3, 70, BlockFormat::whole_tensor).count(), 1);
  EXPECT_EQ(blocks_of(3, 70, BlockFormat::whole_tensor).length(0), 210);
  EXPECT_EQ(blocks_of(0, 70, BlockFormat::whole_tensor).count(), 0);
}

TEST(Blocks, TheLargestMagnitudeIsNanWhereOneIs) {
  const float x[] = {1, -3, 2, NAN, -HUGE_VALF};
  EXPECT_EQ(largest_magnitude(x, 0), 0);
  EXPECT_EQ(largest_magnitude(x, 3), 3);
  EXPECT_TRUE(std::isnan(largest_magnitude(x, 5)));
}

}  // namespace
}  // namespace napkin
