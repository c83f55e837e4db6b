#include "common/numeric/format_info.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "common/core/error.h"

namespace napkin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(info(formats::fp16).max == 65504 && info(formats::bf16).eps == 0.0078125);

TEST(FormatInfo, WideFormatsHaveTheLimitsOfTheirTypes) {
  const FormatInfo wide = info(formats::fp64), single = info(formats::fp32);
  EXPECT_EQ(wide.bits, 64);
  EXPECT_EQ(wide.max, DBL_MAX);
  EXPECT_EQ(wide.smallest_normal, DBL_MIN);
  EXPECT_EQ(wide.smallest_subnormal, DBL_TRUE_MIN);
  EXPECT_EQ(wide.eps, DBL_EPSILON);
  EXPECT_EQ(single.bits, 32);
  EXPECT_EQ(single.max, FLT_MAX);
  EXPECT_EQ(single.smallest_normal, FLT_MIN);
  EXPECT_EQ(single.smallest_subnormal, FLT_TRUE_MIN);
  EXPECT_EQ(single.eps, FLT_EPSILON);
  const FormatInfo tf32 = info(formats::tf32);
  EXPECT_EQ(tf32.bits, 19);
  EXPECT_EQ(tf32.eps, 0x1p-10);
  EXPECT_EQ(tf32.max, FLT_MAX - std::ldexp(1 - 0x1p-13, 127 - 10));
}

// From code to code through a whole format: the neighbours, and the spacing between them.
TEST(FormatInfo, NeighboursStandOneCodeApart) {
  for (const Format& f : {formats::e2m1, formats::e4m3fn, formats::e5m2, formats::e8m0})
    for (std::uint64_t code = 0; code < f.largest_code(); ++code) {
      const double low = decode(f, code), high = decode(f, code + 1);
      EXPECT_EQ(next_up(f, low), high) << name(f) << " " << low;
      EXPECT_EQ(next_down(f, high), low) << name(f) << " " << high;
      EXPECT_EQ(spacing(f, low), high - low) << name(f) << " " << low;
      EXPECT_EQ(spacing(f, std::nextafter(high, 0.0)), high - low) << name(f) << " " << low;
      // From between, whichever of the two is nearer.
      for (const double x : {low + (high - low) * 0.1, low + (high - low) * 0.9}) {
        EXPECT_EQ(next_up(f, x), high) << name(f) << " " << x;
        EXPECT_EQ(next_down(f, x), low) << name(f) << " " << x;
      }
      if (f == formats::e8m0) continue;
      EXPECT_EQ(next_down(f, -low), -high) << name(f) << " " << low;
      EXPECT_EQ(next_up(f, -high), -low) << name(f) << " " << low;
    }
}

TEST(FormatInfo, TheEndsOfAFormat) {
  using namespace formats;
  for (const Format& f : {fp64, fp32, tf32, fp16, bf16, e5m2}) {
    const double max = info(f).max;
    EXPECT_EQ(next_up(f, max), infinity) << name(f);
    EXPECT_EQ(next_up(f, infinity), infinity) << name(f);
    EXPECT_EQ(next_down(f, infinity), max) << name(f);
    EXPECT_EQ(next_up(f, -infinity), -max) << name(f);
  }
  for (const Format& f : {e4m3fn, e2m1, e8m0}) {
    EXPECT_TRUE(std::isnan(next_up(f, info(f).max))) << name(f);
    EXPECT_EQ(next_down(f, 1e300), info(f).max) << name(f);
  }
  for (const Format& f : {e4m3fn, fp32}) {
    EXPECT_EQ(next_up(f, -0.0), info(f).smallest_subnormal);
    EXPECT_EQ(next_down(f, 0.0), -info(f).smallest_subnormal);
    EXPECT_TRUE(std::signbit(next_up(f, -info(f).smallest_subnormal)));
    EXPECT_TRUE(std::isnan(next_up(f, NAN)) && std::isnan(next_down(f, NAN)));
    EXPECT_TRUE(std::isnan(spacing(f, NAN)) && std::isnan(spacing(f, infinity)));
    EXPECT_EQ(spacing(f, 0), info(f).smallest_subnormal);
  }
  EXPECT_EQ(next_up(e8m0, -1), 0x1p-127);
  EXPECT_TRUE(std::isnan(next_down(e8m0, 0x1p-127)));
  EXPECT_TRUE(std::isnan(spacing(e8m0, 0)) && std::isnan(spacing(e8m0, -2)));
}

// Lecture 3.3 and 3.4.
TEST(FormatInfo, SpacingOfBf16) {
  EXPECT_EQ(spacing(formats::bf16, 1024), 8);
  EXPECT_EQ(spacing(formats::bf16, 1025), 8);
  for (const double x : {4.0, 5.0, 7.96875}) EXPECT_EQ(spacing(formats::bf16, x), 0.03125);
  EXPECT_EQ(rounded(formats::bf16, 1024 + 4, Overflow::to_special), 1024);
  EXPECT_EQ(rounded(formats::bf16, 1024 + 5, Overflow::to_special), 1032);
}

TEST(FormatInfo, FormatsHaveNames) {
  EXPECT_EQ(all_formats().size(), 9u);
  for (const NamedFormat& known : all_formats()) {
    EXPECT_EQ(format_named(known.name).format, known.format);
    EXPECT_EQ(name(known.format), known.name);
    EXPECT_NE(known.specification.find("https://"), std::string_view::npos) << known.name;
  }
  for (const char* alias : {"float8_e4m3fn", "fp8_e4m3", "e4m3"})
    EXPECT_EQ(format_named(alias).format, formats::e4m3fn);
  for (const char* alias : {"float4_e2m1fn", "fp4_e2m1", "fp4"})
    EXPECT_EQ(format_named(alias).format, formats::e2m1);
  EXPECT_EQ(format_named("fp8_e5m2").format, formats::e5m2);
  for (const char* text : {"E4M3FN", "FP8 E4M3", "fp8", "E4M3"})
    EXPECT_EQ(format_named(text).format, formats::e4m3fn) << text;
  EXPECT_EQ(name(Format{3, 2, 3, Specials::none}), "e3m2, bias 3");
  for (const char* wrong : {"", "tensor"}) {
    try {
      format_named(wrong);
      FAIL() << wrong;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()),
                "number format \"" + std::string(wrong) +
                    "\" does not exist: fp64, fp32, tf32, fp16, bf16, e4m3fn, e5m2, e2m1, e8m0");
    }
  }
}

}  // namespace
}  // namespace napkin
