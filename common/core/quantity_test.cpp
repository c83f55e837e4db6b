// Numbers with powers of ten and suffixes: exact, or refused.
#include "common/core/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace napkin {
namespace {

TEST(Quantity, WholeNumbersAreExact) {
  const std::pair<const char*, std::int64_t> right[] = {
      {"0", 0},
      {"-0", 0},
      {"+7", 7},
      {"4096", 4096},
      {"1e6", 1'000'000},
      {"1E+6", 1'000'000},
      {"2.5e3", 2500},
      {"2.50e1", 25},
      {"100e-2", 1},
      {".5e1", 5},
      {"5.", 5},
      {"70B", 70'000'000'000},
      {"15T", 15'000'000'000'000},
      {"1.5k", 1500},
      {"-2M", -2'000'000},
      {"3G", 3'000'000'000},
      {"10K", 10'000},
      {"0e999", 0},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775808", INT64_MIN},
      {"9007199254740993e0", 9'007'199'254'740'993},
      {"9.223372036854775807e18", INT64_MAX},
      {"1e3k", 1'000'000}};
  for (const auto& [text, want] : right) EXPECT_EQ(whole_quantity(text), want) << text;
}

TEST(Quantity, EverythingElseIsNone) {
  for (const char* text : {"",
                           " ",
                           "-",
                           "+",
                           ".",
                           "e",
                           "e3",
                           "1e",
                           "1e+",
                           "1.5",
                           "1e-1",
                           "0.5k5",
                           "k",
                           "-k",
                           "1kk",
                           "1 k",
                           "1x",
                           "0x10",
                           "1,000",
                           "+-1",
                           "--1",
                           "inf",
                           "nan",
                           "1.2.3",
                           "9223372036854775808",
                           "-9223372036854775809",
                           "1e19",
                           "1e1001",
                           "10000000T",
                           "1e99999999999",
                           "70b",
                           "1m"})
    EXPECT_EQ(whole_quantity(text), std::nullopt) << text;
}

TEST(Quantity, RealNumbersAreTheNearestDoubles) {
  EXPECT_EQ(real_quantity("0.1"), 0.1);
  EXPECT_EQ(real_quantity("-1e-8"), -1e-8);
  EXPECT_EQ(real_quantity("+70B"), 70e9);
  EXPECT_EQ(real_quantity("0.1k"), 100.0);
  EXPECT_EQ(real_quantity("1.1M"), 1.1e6);  // rounded once: 1.1 x 1e6 is another number
  EXPECT_EQ(real_quantity("inf"), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(real_quantity("nan").value()));
  for (const char* text : {"", "k", "1kk", "1e999", "1x", "x", "-", "1e400k"})
    EXPECT_EQ(real_quantity(text), std::nullopt) << text;
}

TEST(Quantity, BytesHaveUnits) {
  const std::pair<const char*, double> right[] = {
      {"80GB", 80e9}, {"80 GB", 80e9},  {"80GiB", 80 * 0x1p30}, {"0.5 MiB", 0x1p19},
      {"96B", 96},    {"96", 96},       {"1kB", 1000},          {"2 KiB", 2048},
      {"1e3MB", 1e9}, {"1.5TB", 1.5e12}};
  for (const auto& [text, want] : right) EXPECT_EQ(byte_quantity(text), want) << text;
  for (const char* text :
       {"", "GB", "80 Gb", "80  GB", "80 GB ", "80GBs", "GB80", "80 weeks", "8x"})
    EXPECT_EQ(byte_quantity(text), std::nullopt) << text;
}

TEST(Quantity, TimesHaveUnits) {
  const std::pair<const char*, double> right[] = {
      {"2 weeks", 1209600}, {"1 week", 604800}, {"10d", 864000}, {"36h", 129600},
      {"36 hours", 129600}, {"90 min", 5400},   {"1.5s", 1.5},   {"250 ms", 0.25},
      {"3600", 3600},       {"-1 day", -86400}};
  for (const auto& [text, want] : right) EXPECT_EQ(time_quantity(text), want) << text;
  EXPECT_DOUBLE_EQ(*time_quantity("69us"), 69e-6);
  for (const char* text : {"", "days", "two weeks", "2 weeks 3 days", "10 D", "3 months"})
    EXPECT_EQ(time_quantity(text), std::nullopt) << text;
}

}  // namespace
}  // namespace napkin
