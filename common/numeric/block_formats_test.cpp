#include "common/numeric/block_formats.h"

#include <gtest/gtest.h>

#include "common/core/error.h"

namespace napkin {
namespace {

using namespace block_formats;

TEST(BlockFormats, HaveNames) {
  EXPECT_EQ(block_format_named("nvfp4"), nvfp4);
  EXPECT_EQ(block_format_named("NVFP4"), nvfp4);
  EXPECT_EQ(block_format_name("NVFP4"), "nvfp4");
  EXPECT_EQ(block_format_named("mxfp8"), mxfp8);
  EXPECT_EQ(block_format_named("mxfp8_e5m2"), mxfp8_e5m2);
  EXPECT_EQ(block_format_named("mxfp4"), mxfp4);
  EXPECT_EQ(block_format_named("fp8"), fp32_scaled(formats::e4m3fn));
  EXPECT_EQ(block_format_named("fp4"), fp32_scaled(formats::e2m1, BlockFormat::whole_tensor));
  EXPECT_EQ(nvfp4.size, 16);
  EXPECT_EQ(mxfp4.size, 32);
}

TEST(BlockFormats, ScaleRulesHaveNames) {
  for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
    EXPECT_EQ(scale_rule_named(name(rule)), rule);
  EXPECT_EQ(name(ScaleRule::floor), "floor");
  EXPECT_EQ(name(ScaleRule::up), "up");
  EXPECT_EQ(name(ScaleRule::nearest), "nearest");
}

TEST(BlockFormats, OtherNamesAreRefusedWithThoseKnown) {
  const auto refusal = [](auto call) {
    try {
      call();
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([] { block_format_named("mxfp6"); }),
            "block format \"mxfp6\" does not exist (did you mean mxfp8?): nvfp4, mxfp8, "
            "mxfp8_e5m2, mxfp4, fp8, fp4");
  EXPECT_EQ(refusal([] { block_format_named(""); }),
            "block format \"\" does not exist: nvfp4, mxfp8, mxfp8_e5m2, mxfp4, fp8, fp4");
  EXPECT_EQ(refusal([] { scale_rule_named("down"); }),
            "scale rule \"down\" does not exist: floor, up, nearest");
}

}  // namespace
}  // namespace napkin
