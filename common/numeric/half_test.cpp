#include "common/numeric/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/io/safetensors.h"

namespace napkin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(sizeof(BFloat16) == 2 && sizeof(Float16) == 2);
static_assert(BFloat16(1.5f).bits == 0x3fc0 && Float16(1.5).bits == 0x3e00);
static_assert(static_cast<float>(Float16::from_bits(1)) == 0x1p-24f);
static_assert(static_cast<double>(BFloat16::from_bits(1)) == 0x1p-133);

template <int exponent_bits, int mantissa_bits>
struct Parts {
  static constexpr int exponent = exponent_bits, mantissa = mantissa_bits;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
};
template <class T>
struct PartsOf;
template <>
struct PartsOf<BFloat16> : Parts<8, 7> {};
template <>
struct PartsOf<Float16> : Parts<5, 10> {};

// The definition of the format, in double: (-1)^s 2^(e - bias) 1.m, or 2^(1 - bias) 0.m where e =
// 0.
template <class T>
double defined_value(unsigned code) {
  using P = PartsOf<T>;
  const int e = static_cast<int>(code >> P::mantissa & ((1u << P::exponent) - 1));
  const unsigned m = code & ((1u << P::mantissa) - 1);
  const double sign = code >> 15 != 0 ? -1 : 1;
  if (e == (1 << P::exponent) - 1)
    return m == 0 ? sign * infinity : std::numeric_limits<double>::quiet_NaN();
  const double significand = e == 0 ? m : m + (1u << P::mantissa);
  return sign * std::ldexp(significand, std::max(e, 1) - P::bias - P::mantissa);
}

template <class T>
unsigned code_of(double x) {
  return T(x).bits;
}
template <class T>
unsigned code_of_float(float x) {
  return T(x).bits;
}

template <class T>
class Half16 : public testing::Test {};
using Formats = testing::Types<BFloat16, Float16>;
TYPED_TEST_SUITE(Half16, Formats);

TYPED_TEST(Half16, EveryCodeIsDecodedAsDefinedAndEncodedBack) {
  using P = PartsOf<TypeParam>;
  for (unsigned code = 0; code < 65536; ++code) {
    const auto half = TypeParam::from_bits(static_cast<std::uint16_t>(code));
    const auto x = static_cast<double>(half);
    const double want = defined_value<TypeParam>(code);
    if (std::isnan(want)) {  // every NaN pattern becomes the quiet one of the same sign
      const unsigned quiet = (code & 0x8000) | P::infinity | 1u << (P::mantissa - 1);
      ASSERT_TRUE(std::isnan(x)) << code;
      ASSERT_EQ(code_of<TypeParam>(x), quiet) << code;
      ASSERT_EQ(code_of_float<TypeParam>(static_cast<float>(half)), quiet) << code;
      ASSERT_FALSE(half == half);
      continue;
    }
    ASSERT_EQ(x, want) << code;
    ASSERT_EQ(std::signbit(x), code >> 15 != 0) << code;
    ASSERT_EQ(static_cast<float>(half), want) << code;
    ASSERT_EQ(code_of<TypeParam>(x), code);
    ASSERT_EQ(code_of_float<TypeParam>(static_cast<float>(half)), code);
  }
}

// Between any two neighbours: the middle goes to the even code, the nearest doubles and floats
// beside the middle to the nearer one. Past the largest number the next power of two stands for
// infinity. Both signs.
TYPED_TEST(Half16, TiesGoToEvenAndTheirNeighboursToTheNearerNumber) {
  for (unsigned code = 0; code < PartsOf<TypeParam>::infinity; ++code) {
    const unsigned up = code + 1, even = code % 2 == 0 ? code : up;
    const double low = defined_value<TypeParam>(code);
    const double high = up == PartsOf<TypeParam>::infinity
                            ? 2 * low - defined_value<TypeParam>(code - 1)
                            : defined_value<TypeParam>(up);
    const double middle = low + (high - low) / 2;
    const auto expect = [](unsigned want, double x) {
      ASSERT_EQ(code_of<TypeParam>(x), want) << x;
      ASSERT_EQ(code_of<TypeParam>(-x), want | 0x8000) << x;
    };
    expect(even, middle);
    expect(code, std::nextafter(middle, 0.0));
    expect(up, std::nextafter(middle, infinity));
    const auto single = static_cast<float>(middle);
    ASSERT_EQ(single, middle);  // a float holds every middle
    const float inf = std::numeric_limits<float>::infinity();
    ASSERT_EQ(code_of_float<TypeParam>(single), even);
    ASSERT_EQ(code_of_float<TypeParam>(std::nextafter(single, 0.0f)), code);
    ASSERT_EQ(code_of_float<TypeParam>(std::nextafter(single, inf)), up);
    ASSERT_EQ(code_of_float<TypeParam>(-single), even | 0x8000);
  }
}

TYPED_TEST(Half16, TheWidestAndNarrowestDoublesAreInfinityAndZero) {
  constexpr unsigned inf = PartsOf<TypeParam>::infinity;
  for (const double x : {1e300, std::numeric_limits<double>::max(), 0x1p1023, infinity}) {
    EXPECT_EQ(code_of<TypeParam>(x), inf);
    EXPECT_EQ(code_of<TypeParam>(-x), inf | 0x8000);
  }
  for (const double x : {0.0, 5e-324, 1e-310, std::numeric_limits<double>::min(), 1e-200}) {
    EXPECT_EQ(code_of<TypeParam>(x), 0u);
    EXPECT_EQ(code_of<TypeParam>(-x), 0x8000u);
  }
}

// 29,907 values beside ties and 18,000 of random bits, as ml_dtypes and NumPy encode them.
TYPED_TEST(Half16, RecordedFp32ValuesAreEncodedAsRecorded) {
  const io::SafetensorsFile golden(NAPKIN_SOURCE "/reference/golden/formats.safetensors");
  const bool bf16 = std::is_same_v<TypeParam, BFloat16>;
  const auto input = io::values<float>(golden["encode.fp32.input"]);
  const auto want =
      io::values<std::uint16_t>(golden[bf16 ? "encode.fp32.bf16" : "encode.fp32.fp16"]);
  ASSERT_EQ(input.size(), want.size());
  ASSERT_GT(input.size(), 40'000u);
  for (std::size_t i = 0; i < input.size(); ++i)
    ASSERT_EQ(code_of_float<TypeParam>(input[i]), want[i]) << input[i];
}

TEST(BFloat16, NoNanBecomesANumberOrInfinity) {
  for (const std::uint32_t pattern : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffffffffu}) {
    const unsigned code = code_of_float<BFloat16>(std::bit_cast<float>(pattern));
    EXPECT_EQ(code, (pattern >> 16 & 0x8000) | 0x7fc0) << pattern;
  }
  EXPECT_EQ(code_of_float<BFloat16>(std::bit_cast<float>(0x7f7fffffu)), 0x7f80u);
  for (const std::uint64_t pattern : {0x7ff0000000000001u, 0xffffffffffffffffu})
    EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::bit_cast<double>(pattern)))));
}

TEST(BFloat16, ADoubleIsRoundedOnce) {
  EXPECT_EQ(static_cast<double>(BFloat16(1 + 0x1p-8 + 0x1p-40)), 1.0078125);
  EXPECT_EQ(static_cast<double>(BFloat16(static_cast<double>(16973823))), 16908288.0);
}

TEST(Float16, SubnormalNumbersAndTheEdgesOfTheRange) {
  EXPECT_EQ(code_of_float<Float16>(0x1p-25f), 0x0000u);
  EXPECT_EQ(code_of_float<Float16>(std::nextafter(0x1p-25f, 1.0f)), 0x0001u);
  EXPECT_EQ(code_of_float<Float16>(3 * 0x1p-26f), 0x0001u);
  EXPECT_EQ(code_of<Float16>(1e-5), 0x00a8u);
  EXPECT_EQ(static_cast<double>(Float16(1e-5)), 1.0013580322265625e-05);
  EXPECT_EQ(code_of<Float16>(1e-8), 0x0000u);
  EXPECT_EQ(code_of<Float16>(-0x1p-25), 0x8000u);
  EXPECT_EQ(code_of_float<Float16>(65519.996f), 0x7bffu);
  EXPECT_EQ(code_of_float<Float16>(65520.0f), 0x7c00u);
}

// Lecture 3.6: a sum kept in the narrow type stops where half the spacing exceeds what is added.
template <class T>
float sum_in(float term, int times) {
  T sum(0.0f);
  for (int i = 0; i < times; ++i) sum = T(static_cast<float>(sum) + static_cast<float>(T(term)));
  return static_cast<float>(sum);
}

TEST(Half16, SumsKeptInTheNarrowTypeGetStuck) {
  EXPECT_EQ(sum_in<BFloat16>(1.0f, 512), 256.0f);
  EXPECT_EQ(sum_in<Float16>(1.0f, 4096), 2048.0f);
  EXPECT_EQ(sum_in<BFloat16>(0.01f, 10'000), 4.0f);
  EXPECT_EQ(sum_in<Float16>(0.01f, 10'000), 32.0f);
}

TEST(Half16, ZerosAreEqualAndNanEqualsNothing) {
  EXPECT_TRUE(BFloat16(0.0f) == BFloat16(-0.0f));
  EXPECT_FALSE(Float16(NAN) == Float16(NAN));
  EXPECT_TRUE(Float16(1.0f) != Float16(2.0f));
}

}  // namespace
}  // namespace napkin
