#include "common/numeric/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/io/safetensors.h"

namespace napkin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(sizeof(BFloat16) == 2 && sizeof(Float16) == 2);
static_assert(sizeof(Float8E4M3fn) == 1 && sizeof(Float8E5M2) == 1);
static_assert(Float8E4M3fn(1.5f).bits == 0x3c && Float8E5M2(1.5).bits == 0x3e);
static_assert(BFloat16(1.5f).bits == 0x3fc0 && Float16(1.5).bits == 0x3e00);
static_assert(static_cast<float>(Float16::from_bits(1)) == 0x1p-24f);
static_assert(static_cast<double>(BFloat16::from_bits(1)) == 0x1p-133);

// Of the format's definition: `top` is the first code past the largest number, `past` what the
// numbers beyond it become.
template <int exponent_bits, int mantissa_bits, bool has_infinity = true>
struct Parts {
  static constexpr int exponent = exponent_bits, mantissa = mantissa_bits;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr unsigned sign = 1u << (exponent_bits + mantissa_bits);
  static constexpr unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
  static constexpr unsigned top = has_infinity ? infinity : sign - 1;
  static constexpr unsigned past = has_infinity ? top : top - 1;
  static constexpr unsigned nan = has_infinity ? infinity | 1u << (mantissa - 1) : top;
  static constexpr bool infinite = has_infinity;
};
template <class T>
struct PartsOf;
template <>
struct PartsOf<BFloat16> : Parts<8, 7> {};
template <>
struct PartsOf<Float16> : Parts<5, 10> {};
template <>
struct PartsOf<Float8E4M3fn> : Parts<4, 3, false> {};
template <>
struct PartsOf<Float8E5M2> : Parts<5, 2> {};

// The definition of the format, in double: (-1)^s 2^(e - bias) 1.m, or 2^(1 - bias) 0.m where e =
// 0.
template <class T>
double defined_value(unsigned code) {
  using P = PartsOf<T>;
  const int e = static_cast<int>(code >> P::mantissa & ((1u << P::exponent) - 1));
  const unsigned m = code & ((1u << P::mantissa) - 1);
  const double sign = (code & P::sign) != 0 ? -1 : 1;
  if (const unsigned magnitude = code & (P::sign - 1); magnitude >= P::top)
    return P::infinite && magnitude == P::top ? sign * infinity
                                              : std::numeric_limits<double>::quiet_NaN();
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
class SmallFloats : public testing::Test {};
using Types = testing::Types<BFloat16, Float16, Float8E4M3fn, Float8E5M2>;
TYPED_TEST_SUITE(SmallFloats, Types);

TYPED_TEST(SmallFloats, EveryCodeIsDecodedAsDefinedAndEncodedBack) {
  using P = PartsOf<TypeParam>;
  for (unsigned code = 0; code < 2 * P::sign; ++code) {
    const auto small = TypeParam::from_bits(static_cast<typename TypeParam::Code>(code));
    const auto x = static_cast<double>(small);
    const double want = defined_value<TypeParam>(code);
    if (std::isnan(want)) {  // every NaN pattern becomes the quiet one of the same sign
      const unsigned quiet = (code & P::sign) | P::nan;
      ASSERT_TRUE(std::isnan(x)) << code;
      ASSERT_EQ(code_of<TypeParam>(x), quiet) << code;
      ASSERT_EQ(code_of_float<TypeParam>(static_cast<float>(small)), quiet) << code;
      ASSERT_FALSE(small == small);
      continue;
    }
    ASSERT_EQ(x, want) << code;
    ASSERT_EQ(std::signbit(x), (code & P::sign) != 0) << code;
    ASSERT_EQ(static_cast<float>(small), want) << code;
    ASSERT_EQ(code_of<TypeParam>(x), code);
    ASSERT_EQ(code_of_float<TypeParam>(static_cast<float>(small)), code);
  }
}

// Between any two neighbours: the middle goes to the even code, the nearest doubles and floats
// beside the middle to the nearer one. Past the largest number the number that would follow stands
// for what overflow gives. Both signs.
TYPED_TEST(SmallFloats, TiesGoToEvenAndTheirNeighboursToTheNearerNumber) {
  using P = PartsOf<TypeParam>;
  for (unsigned code = 0; code < P::top; ++code) {
    const unsigned up = code + 1 == P::top ? P::past : code + 1;
    const unsigned even = code % 2 == 0 ? code : up;
    const double low = defined_value<TypeParam>(code);
    const double high = code + 1 == P::top ? 2 * low - defined_value<TypeParam>(code - 1)
                                           : defined_value<TypeParam>(up);
    const double middle = low + (high - low) / 2;
    const auto expect = [](unsigned want, double x) {
      ASSERT_EQ(code_of<TypeParam>(x), want) << x;
      ASSERT_EQ(code_of<TypeParam>(-x), want | P::sign) << x;
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
    ASSERT_EQ(code_of_float<TypeParam>(-single), even | P::sign);
  }
}

TYPED_TEST(SmallFloats, TheWidestAndNarrowestDoublesOverflowAndAreZero) {
  constexpr unsigned inf = PartsOf<TypeParam>::past, sign = PartsOf<TypeParam>::sign;
  for (const double x : {1e300, std::numeric_limits<double>::max(), 0x1p1023, infinity}) {
    EXPECT_EQ(code_of<TypeParam>(x), inf);
    EXPECT_EQ(code_of<TypeParam>(-x), inf | sign);
  }
  for (const double x : {0.0, 5e-324, 1e-310, std::numeric_limits<double>::min(), 1e-200}) {
    EXPECT_EQ(code_of<TypeParam>(x), 0u);
    EXPECT_EQ(code_of<TypeParam>(-x), sign);
  }
}

template <class T>
std::vector<unsigned> recorded_codes(const std::string& name) {
  static const io::SafetensorsFile golden(NAPKIN_SOURCE "/reference/golden/formats.safetensors");
  const auto codes = io::values<typename T::Code>(golden["encode.fp32." + name]);
  return {codes.begin(), codes.end()};
}

// 29,907 values beside ties and 18,000 of random bits, as ml_dtypes and NumPy encode them. Where
// overflow is named: ml_dtypes does not saturate.
TYPED_TEST(SmallFloats, RecordedFp32ValuesAreEncodedAsRecorded) {
  const io::SafetensorsFile golden(NAPKIN_SOURCE "/reference/golden/formats.safetensors");
  const auto input = io::values<float>(golden["encode.fp32.input"]);
  const auto want = recorded_codes<TypeParam>(std::is_same_v<TypeParam, BFloat16>       ? "bf16"
                                              : std::is_same_v<TypeParam, Float16>      ? "fp16"
                                              : std::is_same_v<TypeParam, Float8E4M3fn> ? "e4m3fn"
                                                                                        : "e5m2");
  ASSERT_EQ(input.size(), want.size());
  ASSERT_GT(input.size(), 40'000u);
  for (std::size_t i = 0; i < input.size(); ++i)
    ASSERT_EQ(unsigned{TypeParam(input[i], Overflow::to_special).bits}, want[i]) << input[i];
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

TEST(SmallFloat, SumsKeptInTheNarrowTypeGetStuck) {
  EXPECT_EQ(sum_in<BFloat16>(1.0f, 512), 256.0f);
  EXPECT_EQ(sum_in<Float16>(1.0f, 4096), 2048.0f);
  EXPECT_EQ(sum_in<BFloat16>(0.01f, 10'000), 4.0f);
  EXPECT_EQ(sum_in<Float16>(0.01f, 10'000), 32.0f);
}

TEST(SmallFloat, ZerosAreEqualAndNanEqualsNothing) {
  EXPECT_TRUE(BFloat16(0.0f) == BFloat16(-0.0f));
  EXPECT_FALSE(Float16(NAN) == Float16(NAN));
  EXPECT_TRUE(Float16(1.0f) != Float16(2.0f));
}

}  // namespace
}  // namespace napkin
