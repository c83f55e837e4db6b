#include "common/numeric/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "common/io/safetensors.h"
#include "common/numeric/format_info.h"
#include "common/numeric/small_float.h"

namespace napkin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Overflow saturate = Overflow::saturate, to_special = Overflow::to_special;

// Two more that the same rule covers (OCP MX v1.0), to see that it rests on the description alone.
constexpr Format e2m3{2, 3, 1, Specials::none}, e3m2{3, 2, 3, Specials::none};

static_assert(encode<formats::e4m3fn>(448.0f, saturate) == 0x7e);
static_assert(encode<formats::bf16>(1 + 0x1p-8 + 0x1p-40, saturate) == 0x3f81);
static_assert(decode<formats::e2m1>(0xf) == -6.0f && decode<formats::e8m0>(0) == 0x1p-127f);
static_assert(decode<formats::fp64>(1) == 5e-324 && encode<formats::fp64>(5e-324, saturate) == 1);
static_assert(std::is_same_v<decltype(encode<formats::tf32>(1.0f, saturate)), std::uint32_t>);
static_assert(std::is_same_v<decltype(decode<formats::fp64>(0)), double>);

std::vector<Format> small_formats() {
  using namespace formats;
  return {e2m1, e2m3, e3m2, e4m3fn, e5m2, bf16, fp16};
}

// The definition, in double: what stands at the top of format.h.
double defined_value(const Format& f, std::uint64_t code) {
  const std::uint64_t magnitude = code & ((1ull << f.magnitude_bits()) - 1);
  const std::uint64_t m = magnitude & ((1ull << f.mantissa_bits) - 1);
  const int e = static_cast<int>(magnitude >> f.mantissa_bits);
  const int top = (1 << f.exponent_bits) - 1;
  const double sign = code >> f.magnitude_bits() != 0 ? -1 : 1;
  if (f.specials == Specials::ieee && e == top) return m == 0 ? sign * infinity : NAN;
  if (f.specials == Specials::finite_only && magnitude + 1 == 1ull << f.magnitude_bits())
    return NAN;
  const double significand = static_cast<double>(e == 0 ? m : m + (1ull << f.mantissa_bits));
  return sign * std::ldexp(significand, std::max(e, 1) - f.bias - f.mantissa_bits);
}

TEST(Format, EveryCodeIsDecodedAsDefinedAndEncodedBack) {
  for (const Format& f : small_formats())
    for (std::uint64_t code = 0; code < 1ull << f.bits(); ++code) {
      SCOPED_TRACE(name(f) + " " + std::to_string(code));
      const double want = defined_value(f, code), x = decode(f, code);
      const float narrow = decode_narrow(f, static_cast<std::uint32_t>(code));
      ASSERT_EQ(std::signbit(x), code >> f.magnitude_bits() != 0);
      ASSERT_EQ(std::signbit(narrow), std::signbit(x));
      ASSERT_EQ(f.is_nan(code), std::isnan(want));
      ASSERT_EQ(f.is_infinity(code), std::isinf(want));
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(x) && std::isnan(narrow));
        ASSERT_EQ(encode(f, x, saturate), f.nan_code(std::signbit(x)));
        ASSERT_EQ(encode(f, narrow, saturate), f.nan_code(std::signbit(x)));
        continue;
      }
      ASSERT_EQ(x, want);
      ASSERT_EQ(narrow, want);
      ASSERT_EQ(encode(f, x, to_special), code);
      ASSERT_EQ(encode(f, narrow, to_special), code);
      ASSERT_EQ(encode(f, x, saturate), std::isinf(want) ? code - 1 : code);
    }
}

void expect_code(const Format& f, std::uint64_t want, double x, Overflow overflow) {
  ASSERT_EQ(encode(f, x, overflow), want) << name(f) << " " << x;
  ASSERT_EQ(encode(f, -x, overflow), want | f.sign()) << name(f) << " -" << x;
  const auto single = static_cast<float>(x);
  if (single == x) {
    ASSERT_EQ(encode(f, single, overflow), want) << name(f) << " " << x;
    ASSERT_EQ(encode(f, -single, overflow), want | f.sign()) << name(f) << " -" << x;
  }
}

// Between any two neighbours: the middle goes to the even code, the nearest doubles and floats
// beside it to the nearer number. Past the largest one stands the number that would follow: what
// rounds to it overflows.
TEST(Format, TiesGoToEvenAndTheirNeighboursToTheNearerNumber) {
  for (const Format& f : small_formats())
    for (std::uint64_t code = 0; code <= f.largest_code(); ++code) {
      const double low = defined_value(f, code);
      const bool last = code == f.largest_code();
      const double high = last ? 2 * low - defined_value(f, code - 1) : defined_value(f, code + 1);
      const double middle = low + (high - low) / 2;
      const auto single = static_cast<float>(middle);
      ASSERT_EQ(single, middle);
      for (const Overflow overflow : {saturate, to_special}) {
        const std::uint64_t up = last ? overflow_code(f, overflow) : code + 1;
        expect_code(f, code % 2 == 0 ? code : up, middle, overflow);
        expect_code(f, code, std::nextafter(middle, 0.0), overflow);
        expect_code(f, code, std::nextafter(single, 0.0f), overflow);
        expect_code(f, up, std::nextafter(middle, infinity), overflow);
        expect_code(f, up, std::nextafter(single, HUGE_VALF), overflow);
      }
    }
}

TEST(Format, WhatOverflowsBecomesWhatTheCallNames) {
  for (const Format& f : small_formats())
    for (const double x : {1e300, 0x1p1023, std::numeric_limits<double>::max(), infinity}) {
      expect_code(f, f.largest_code(), x, saturate);
      expect_code(f, f.specials == Specials::none ? f.largest_code() : f.largest_code() + 1, x,
                  to_special);
      expect_code(f, 0, 1 / x, saturate);
    }
  EXPECT_TRUE(std::isinf(decode(formats::e5m2, encode(formats::e5m2, 1e9, to_special))));
  EXPECT_TRUE(std::isnan(decode(formats::e4m3fn, encode(formats::e4m3fn, 1e9, to_special))));
}

// The wide formats: C++ itself is the truth for fp64 and fp32, tf32 by its ties.
TEST(Format, WideFormatsHoldWhatTheirTypesHold) {
  std::mt19937_64 random(64);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t bits = i < 1000 ? static_cast<std::uint64_t>(i) : random();
    const auto x = std::bit_cast<double>(bits);
    if (std::isnan(x)) continue;
    ASSERT_EQ(encode(formats::fp64, x, to_special), bits);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(decode(formats::fp64, bits)), bits);
    // Mostly of FP32's range, its subnormal numbers included.
    int unused = 0;
    const double y = std::ldexp(std::frexp(x, &unused), static_cast<int>(bits % 300) - 160);
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(y));
    ASSERT_EQ(encode(formats::fp32, y, to_special), single) << y;
    ASSERT_EQ(decode(formats::fp32, single), static_cast<float>(y));
    ASSERT_EQ(encode(formats::fp32, static_cast<float>(y), to_special), single);
  }
}

TEST(Format, Tf32KeepsTenBitsOfFp32) {
  for (const std::uint32_t code : {0u, 1u, 0x3ffu, 0x400u, 0x1fc00u, 0x20001u, 0x3fbffu}) {
    const auto at = [&](std::uint32_t rest) { return std::bit_cast<float>((code << 13) + rest); };
    ASSERT_EQ(decode(formats::tf32, code), at(0));
    ASSERT_EQ(encode(formats::tf32, at(0), to_special), code);
    ASSERT_EQ(encode(formats::tf32, at(0xfff), to_special), code);
    ASSERT_EQ(encode(formats::tf32, at(0x1000), to_special), code + (code & 1));
    ASSERT_EQ(encode(formats::tf32, at(0x1001), to_special), code + 1);
    ASSERT_EQ(encode(formats::tf32, static_cast<double>(at(0x1001)), to_special), code + 1);
  }
}

TEST(Format, NoNanBecomesANumberOrInfinity) {
  using namespace formats;
  for (const std::uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffffffffu}) {
    const auto x = std::bit_cast<float>(bits);
    for (const Format& f : {fp64, fp32, tf32, fp16, bf16, e4m3fn, e5m2, e8m0})
      for (const Overflow overflow : {saturate, to_special}) {
        const std::uint64_t code = encode(f, x, overflow);
        EXPECT_TRUE(f.is_nan(code)) << name(f);
        EXPECT_EQ(code, f.nan_code(bits >> 31 != 0)) << name(f);
        EXPECT_EQ(encode(f, static_cast<double>(x), overflow), code) << name(f);
      }
    EXPECT_EQ(encode(e2m1, x, to_special), 7u);  // it has no NaN
    EXPECT_EQ(encode(e2m1, static_cast<double>(x), to_special), 7u);
  }
  EXPECT_EQ(encode(bf16, std::bit_cast<float>(0x7f7fffffu), to_special), 0x7f80u);
  EXPECT_EQ(bf16.nan_code(true), 0xffc0u);
  EXPECT_EQ(e5m2.nan_code(false), 0x7eu);
  EXPECT_EQ(e4m3fn.nan_code(true), 0xffu);
  EXPECT_EQ(e8m0.nan_code(true), 0xffu);
}

TEST(Format, E4m3fnAtTheEndOfItsRange) {
  const auto code = [](float x, Overflow o) { return encode<formats::e4m3fn>(x, o); };
  const float past = std::nextafter(464.0f, 1000.0f);
  for (const Overflow overflow : {saturate, to_special}) {
    EXPECT_EQ(code(448, overflow), 0x7e);
    EXPECT_EQ(code(464, overflow), 0x7e);  // a tie, to even
  }
  EXPECT_EQ(code(past, to_special), 0x7f);
  EXPECT_EQ(code(1000, to_special), 0x7f);
  EXPECT_EQ(code(past, saturate), 0x7e);
  EXPECT_EQ(code(1000, saturate), 0x7e);
}

TEST(Format, E5m2IsRoundedBeforeItsRangeIsTested) {
  EXPECT_EQ(encode<formats::e5m2>(58000.0f, to_special), 0x7b);
  EXPECT_EQ(encode<formats::e5m2>(61439.0f, to_special), 0x7b);
  EXPECT_EQ(encode<formats::e5m2>(61440.0f, to_special), 0x7c);
}

// Lecture 3.6: the 15 numbers of FP4, and its ties.
TEST(Format, E2m1) {
  const float ties[] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};
  const float want[] = {0, 1, 1, 2, 2, 4, 4};
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(decode<formats::e2m1>(encode<formats::e2m1>(ties[i], saturate)), want[i]);
  EXPECT_EQ(encode<formats::e2m1>(0.25000006f, saturate), 1);
}

TEST(Format, ADoubleIsRoundedOnce) {
  using namespace formats;
  const auto round = [](const Format& f, double x) { return rounded(f, x, saturate); };
  EXPECT_EQ(round(bf16, 1 + 0x1p-8 + 0x1p-40), 1.0078125);
  EXPECT_EQ(round(e4m3fn, -431.99999999999994), -416);
  EXPECT_EQ(round(bf16, 16973823), 16908288);
  EXPECT_EQ(round(fp32, 1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23);
}

TEST(Format, Fp16SubnormalNumbersAndTheEdgesOfTheRange) {
  const auto code = [](double x) { return encode<formats::fp16>(x, to_special); };
  EXPECT_EQ(code(0x1p-25), 0x0000);
  EXPECT_EQ(code(std::nextafter(0x1p-25f, 1.0f)), 0x0001);
  EXPECT_EQ(code(3 * 0x1p-26), 0x0001);
  EXPECT_EQ(code(1e-5), 0x00a8);
  EXPECT_EQ(decode<formats::fp16>(0x00a8), 1.0013580322265625e-05f);
  EXPECT_EQ(code(1e-8), 0x0000);
  EXPECT_EQ(code(-0x1p-25), 0x8000);
  EXPECT_EQ(code(65519.996f), 0x7bff);
  EXPECT_EQ(code(65520), 0x7c00);
}

TEST(Format, E8m0IsEveryPowerOfTwoAndNaN) {
  for (unsigned code = 0; code < 255; ++code) {
    const double x = std::ldexp(1.0, static_cast<int>(code) - 127);
    EXPECT_EQ(decode(formats::e8m0, code), x);
    EXPECT_EQ(decode_scale(code), x);
    for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
      EXPECT_EQ(encode_scale(x, rule, saturate), code);
  }
  EXPECT_TRUE(std::isnan(decode(formats::e8m0, 255)) && std::isnan(decode_scale(255)));
  EXPECT_EQ(decode<formats::e8m0>(0), 5.877471754111438e-39f);
  EXPECT_EQ(decode<formats::e8m0>(254), 1.7014118346046923e38f);
}

TEST(Format, E8m0RoundsByTheRuleNamed) {
  const double below = std::nextafter(1.5, 0.0);
  const auto code = [](double x, ScaleRule rule) { return encode_scale(x, rule, saturate); };
  for (const double scale : {0x1p-126, 1.0, 0x1p126}) {
    const auto at = static_cast<std::uint32_t>(std::ilogb(scale) + 127);
    EXPECT_EQ(code(scale * 1.99, ScaleRule::floor), at);
    EXPECT_EQ(code(scale * std::nextafter(1.0, 2.0), ScaleRule::up), at + 1);
    EXPECT_EQ(code(scale * below, ScaleRule::nearest), at);
    EXPECT_EQ(code(scale * 1.5, ScaleRule::nearest), at + 1);
    EXPECT_EQ(encode(formats::e8m0, scale * 1.5, saturate), at + 1);
  }
  for (const double x : {0.0, -0.0, 5e-324, 0x1p-128}) EXPECT_EQ(code(x, ScaleRule::up), 0u);
  for (const double x : {-1.0, -infinity, double{NAN}}) EXPECT_EQ(code(x, ScaleRule::up), 255u);
  for (const double x : {0x1.8p127, 1e300, infinity}) {
    EXPECT_EQ(encode_scale(x, ScaleRule::nearest, saturate), 254u);
    EXPECT_EQ(encode_scale(x, ScaleRule::nearest, to_special), 255u);
  }
  EXPECT_EQ(code(0x1.7fp127, ScaleRule::nearest), 254u);
}

// The rule for vector loops: the general one, on a part of all 2^32 FP32 numbers.
TEST(Format, TheNarrowRuleIsTheGeneralOne) {
  std::vector<Format> narrow = small_formats();
  narrow.push_back(formats::tf32);
  for (const Format& f : narrow) {
    ASSERT_TRUE(is_narrow(f));
    for (const Overflow overflow : {saturate, to_special})
      for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 9973) {
        const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        ASSERT_EQ(encode_narrow(f, x, overflow), encode(f, static_cast<double>(x), overflow))
            << name(f) << " " << bits;
      }
  }
  for (const Format& f : {formats::fp64, formats::fp32, formats::e8m0}) EXPECT_FALSE(is_narrow(f));
}

}  // namespace
}  // namespace napkin
