// The parts of demo 02 that its claims do not reach: numbers as typed, sums, scales.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/io/safetensors.h"
#include "demos/02_floating_point/accumulate.h"
#include "demos/02_floating_point/numbers.h"
#include "demos/02_floating_point/pictures.h"
#include "demos/02_floating_point/scales.h"

namespace napkin {
namespace {

using namespace formats;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(Numbers, AreReadAsTyped) {
  EXPECT_EQ(number_from("0.1", fp64), 0.1);
  EXPECT_EQ(number_from("0.1", fp32), double{0.1f});
  EXPECT_EQ(number_from("-1e-8", fp64), -1e-8);
  EXPECT_EQ(number_from("2^-25", fp64), 0x1p-25);
  EXPECT_EQ(number_from("-2^3", fp32), -8);
  EXPECT_EQ(number_from("3*2^-26", fp16), 0x1p-24);  // rounded to the format
  EXPECT_EQ(number_from("0x1.8p3", fp64), 12);
  EXPECT_EQ(number_from("0x7f7fffff", fp32), double{std::numeric_limits<float>::max()});
  EXPECT_EQ(number_from("0x3f80", bf16), 1);
  EXPECT_EQ(number_from("inf", fp32), infinity);
  EXPECT_EQ(number_from("-inf", fp64), -infinity);
  EXPECT_EQ(number_from("1e39", fp32), infinity);
  EXPECT_EQ(number_from("1e-400", fp64), 0);
  EXPECT_TRUE(std::isnan(number_from("nan", fp64)));
  EXPECT_TRUE(std::isnan(number_from("0x7f800001", fp32)));
  EXPECT_TRUE(std::signbit(number_from("-0", fp32)));
  // Once from the digits: by way of FP64 this tie of two FP32 numbers would go to the even one.
  EXPECT_EQ(number_from("1.00000005960464477540", fp32), 1 + 0x1p-23);
}

TEST(Numbers, OtherTextIsRefused) {
  for (const char* text : {"", "x", "1x", "1 2", " 1", "2^", "2^x", "*2^3", "3*2^", "1e", "0x",
                           "0xg", "2^99999999999", "nan(1)", "--1", "-0x3f80"})
    EXPECT_THROW(number_from(text, fp32), Error) << text;
  EXPECT_THROW(number_from("0x100000000", fp32), Error);
  EXPECT_THROW(number_from("0x10000", bf16), Error);
  EXPECT_THROW(number_from("0x10000000000000000", fp64), Error);
}

TEST(Numbers, OfAnyFormatHaveBitsByTheirCount) {
  EXPECT_EQ(number_of_any_format("0.1"), 0.1);
  EXPECT_EQ(number_of_any_format("0x1.8p3"), 12);
  EXPECT_EQ(number_of_any_format("0x3fc00000"), 1.5);
  EXPECT_EQ(number_of_any_format("0x3fb999999999999a"), 0.1);
  for (const char* text : {"0x3f80", "0x0", "0x03f800000", "0x03fb999999999999a", "0x"})
    EXPECT_THROW(number_of_any_format(text), Error) << text;
}

TEST(Numbers, FieldsAreTheBits) {
  const Fields tenth = fields(bf16, 0x3dcd);
  EXPECT_EQ(tenth.sign + "|" + tenth.exponent + "|" + tenth.mantissa, "0|01111011|1001101");
  EXPECT_EQ(fields(e2m1, 0xf).sign, "1");
  EXPECT_EQ(fields(e8m0, 0x80).sign + fields(e8m0, 0x80).mantissa, "");
  EXPECT_EQ(hex(e4m3fn, 7), "0x07");
  EXPECT_EQ(hex(e2m1, 7), "0x7");
  EXPECT_EQ(digits(-std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_TRUE(bf16_is_the_upper_half());
}

TEST(NumberLine, HasAMarkForEachNumber) {
  const auto lines = number_line(e2m1, 6, 61);
  std::string want(61, '-');
  for (const double x : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0})
    want[static_cast<std::size_t>(10 * x)] = '|';
  EXPECT_EQ(lines[0], want);
  EXPECT_EQ(lines[1].substr(0, 11), "0    0.5  1");
  EXPECT_EQ(lines[1].size(), 61u);
  EXPECT_EQ(number_line(e2m1, 6, 10)[0], "||#|-||--|");  // 1 and 1.5 share a column
}

TEST(Gradients, AreLostAsZeroAndAsInfinity) {
  const float values[] = {1e-8f, 1, 1e5f, -1e5f};
  EXPECT_EQ(share_lost(values, 1, fp16), 0.75);
  EXPECT_EQ(share_lost(values, 0.5, fp16), 0.25);
  EXPECT_EQ(share_lost(values, 1e300, fp16), 1);
}

TEST(Sums, AreThoseOfNumpy) {
  const io::SafetensorsFile golden(NAPKIN_SOURCE "/reference/golden/accumulate.safetensors");
  const auto column = [&](const char* name) { return io::values<double>(golden[name]); };
  const Format known[] = {fp64, fp32, fp16, bf16, e4m3fn, e5m2};
  const auto term = column("term"), total = column("total"), add = column("add"),
             times = column("times"), sum = column("sum"), after = column("sticks_after");
  ASSERT_EQ(sum.size(), 200u);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Format& of_term = known[static_cast<int>(term[i])];
    const Format& of_sum = known[static_cast<int>(total[i])];
    const auto count = static_cast<std::int64_t>(times[i]);
    const Accumulated got = accumulate({of_term, of_sum, 0, add[i], count});
    const auto where = fmt::format("{} in {}: {} x {}", name(of_term), name(of_sum), add[i], count);
    EXPECT_TRUE(is_same(got.sum, sum[i])) << where << ": " << got.sum << " " << sum[i];
    EXPECT_EQ(got.stuck_at.has_value(), after[i] >= 0) << where;
    if (!got.stuck_at) continue;
    EXPECT_TRUE(is_same(*got.stuck_at, sum[i])) << where;
    EXPECT_EQ(static_cast<double>(got.additions), after[i]) << where;
    EXPECT_TRUE(is_same(got.y.back(), sum[i])) << where;
    EXPECT_EQ(got.x.back(), times[i]) << where;
  }
}

TEST(Sums, AreRoundedOnce) {
  // The exact sum lies just above a tie, on which FP64's sum falls.
  EXPECT_EQ(rounded_sum(bf16, 1 + 0x1p-8, 0x1p-60), 1 + 0x1p-7);
  EXPECT_EQ(rounded_sum(bf16, 1 + 0x1p-8, -0x1p-60), 1);
  EXPECT_EQ(rounded_sum(bf16, 1 + 0x1p-8, 0), 1);
  EXPECT_EQ(rounded_sum(fp64, 1, 0x1p-60), 1);
  EXPECT_EQ(rounded_sum(fp32, infinity, 1), infinity);
}

TEST(Sums, OfKahanLoseLittle) {
  const Accumulated plain = accumulate({bf16, bf16, 0, 0.01, 10000});
  const Accumulated kahan = accumulate({bf16, bf16, 0, 0.01, 10000, true});
  EXPECT_EQ(plain.sum, 4);
  EXPECT_LE(std::abs(kahan.sum - 100.09765625), 3 * spacing(bf16, 100));
  EXPECT_FALSE(kahan.stuck_at);
}

TEST(Scales, RulesGiveTheScalesOfTheLecture) {
  using block_formats::mx;
  const auto first = [](float largest, ScaleRule rule) {
    Data data{.values = std::vector<float>(32), .columns = 32};
    data.values[3] = largest;
    const InBlocks q = in_blocks(data, mx(e4m3fn, rule), 0);
    return std::pair{q.scales[0], decode(e4m3fn, static_cast<std::uint64_t>(q.codes[3]))};
  };
  using Pair = std::pair<double, double>;
  EXPECT_EQ(first(957, ScaleRule::floor), Pair(2, 448));
  EXPECT_EQ(first(957, ScaleRule::up), Pair(4, 240));
  EXPECT_EQ(first(632, ScaleRule::floor), Pair(2, 320));
  EXPECT_EQ(first(632, ScaleRule::up), Pair(2, 320));
  EXPECT_EQ(first(632, ScaleRule::nearest), Pair(1, 448));
}

TEST(Scales, BlocksEndWithTheirRow) {
  Data data{.values = std::vector<float>(40, 0.01f), .rows = 2, .columns = 20};
  data.values[23] = 96;
  const InBlocks q = in_blocks(data, block_formats::mxfp4, 16);
  ASSERT_EQ(q.scales.size(), 4u);
  ASSERT_EQ(q.codes.size(), 40u);
  for (std::size_t i = 36; i < 40; ++i)
    EXPECT_EQ(decode(e2m1, static_cast<std::uint64_t>(q.codes[i])) * q.scales[3], 0.01171875);
  EXPECT_EQ(q.kept.scales, 4);
}

TEST(Scales, OnlyOrdinaryValuesCountAsLost) {
  Data data{.values = {600, 1, 0, 1, 600, 1, 60, 60}, .columns = 8, .every = 4};
  const Kept kept = in_blocks(data, block_formats::fp32_scaled(e2m1), 0).kept;
  EXPECT_EQ(kept.zeros, 3.0 / 6);  // three 1s of six; the 0 was 0 before
  EXPECT_EQ(kept.bits, 4);
  EXPECT_EQ(kept_directly(data, bf16).zeros, 0);
  EXPECT_TRUE(data.is_ordinary(3));
  EXPECT_FALSE(data.is_ordinary(4));
}

TEST(Scales, ManyValuesGiveNoLists) {
  const InBlocks few = in_blocks(data_with_outliers(0, 4096, 585, 120), block_formats::nvfp4, 0);
  const InBlocks many = in_blocks(data_with_outliers(0, 4097, 585, 120), block_formats::nvfp4, 0);
  EXPECT_EQ(few.codes.size(), 4096u);
  EXPECT_EQ(few.scales.size(), 256u);
  EXPECT_TRUE(many.codes.empty());
  EXPECT_TRUE(many.scales.empty());
}

}  // namespace
}  // namespace napkin
