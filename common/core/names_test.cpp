// Names as people type them.
#include "common/core/names.h"

#include <gtest/gtest.h>

#include "common/core/error.h"

namespace napkin {
namespace {

TEST(Names, AreTheSameInEitherCaseAndWithBlanks) {
  for (const char* text : {"fp8_e4m3", "FP8 E4M3", "FP8-e4m3", "fp8_E4M3"})
    EXPECT_TRUE(same_name(text, "fp8_e4m3")) << text;
  for (const char* text : {"", "fp8", "fp8_e4m3 ", "fp8e4m3", "fp8__e4m3"})
    EXPECT_FALSE(same_name(text, "fp8_e4m3")) << text;
  EXPECT_FALSE(same_name("@", "`"));  // apart by the bit of the case, and no letters
}

TEST(Names, TheNearestIsFoundWhereOneIsNear) {
  const std::vector<std::string> formats = {"fp64", "fp32", "bf16", "nvfp4", "mxfp8"};
  EXPECT_EQ(nearest("nvfp5", formats), "nvfp4");
  EXPECT_EQ(nearest("NVFP", formats), "nvfp4");
  EXPECT_EQ(nearest("BF61", formats), "bf16");
  EXPECT_EQ(nearest("int8", formats), std::nullopt);
  EXPECT_EQ(nearest("", formats), std::nullopt);
  EXPECT_EQ(nearest("--", {"--json"}), std::nullopt);
  EXPECT_EQ(nearest("--seeed", {"--json", "--seed"}), "--seed");
}

TEST(Names, ARefusalOffersTheNearestAndListsAll) {
  const auto said = [](std::string_view text) {
    try {
      refuse_name("format", text, {"nvfp4", "mxfp8"});
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  EXPECT_EQ(said("nvfp5"), "format \"nvfp5\" does not exist (did you mean nvfp4?): nvfp4, mxfp8");
  EXPECT_EQ(said("what"), "format \"what\" does not exist: nvfp4, mxfp8");
}

}  // namespace
}  // namespace napkin
