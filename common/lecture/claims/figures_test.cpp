// Numbers of a page that are told nowhere else.
#include "common/lecture/claims/figures.h"

#include <gtest/gtest.h>

namespace napkin::lecture {
namespace {

using Texts = std::vector<std::string>;

TEST(Figures, OnesThatAreKnownAreFound) {
  const char* known =
      R"({"bytes": 2415919104, "share": 0.0983, "list": [3, -4.5], "text": "a 17 b",)"
      R"( "bits": "0111101100", "code": 126, "tiny": 1.3877787807814457e-17})";
  for (const char* page : {"2,415,919,104 B = 2.42 GB = 2.25 GiB", "9.83 %", "(3, -4.5)", "17",
                           "0 11110 1100", "0x7e", "1.39e-17", "fp32 e4m3fn 2^20 10^6 4x", "3.0"})
    EXPECT_EQ(unknown_figures(page, known), Texts()) << page;
}

TEST(Figures, OthersAreNamed) {
  const char* known = R"({"bytes": 2415919104, "share": 0.0983, "list": [3, 1234567]})";
  EXPECT_EQ(unknown_figures("2.43 GB", known), Texts{"2.43"});
  EXPECT_EQ(unknown_figures("9.84 %", known), Texts{"9.84"});
  EXPECT_EQ(unknown_figures("a 4 b 1,234,568", known), (Texts{"4", "1234568"}));
  EXPECT_EQ(unknown_figures("0x7e 3", known), Texts{"0x7e"});
  EXPECT_EQ(unknown_figures("", known), Texts());
}

}  // namespace
}  // namespace napkin::lecture
