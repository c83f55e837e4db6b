#include "common/lecture/claims/rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace napkin::lecture {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t past_2_53 = (std::int64_t{1} << 53) + 1;  // not a double

Claim claim_of(Kind kind, Value lecture, std::optional<double> tol = {}) {
  Claim claim;
  claim.kind = kind;
  claim.value = std::move(lecture);
  claim.tol = tol;
  return claim;
}

bool holds(Kind kind, Value lecture, Value got, std::optional<double> tol = {}) {
  return decide(claim_of(kind, std::move(lecture), tol), got) == Verdict::ok;
}

TEST(Rules, ExactComparesNumbersOfBothTypes) {
  EXPECT_TRUE(holds(Kind::exact, 4, 4));
  EXPECT_TRUE(holds(Kind::exact, 4, 4.0));
  EXPECT_TRUE(holds(Kind::exact, 4.0, 4));
  EXPECT_FALSE(holds(Kind::exact, 4, 5));
  EXPECT_FALSE(holds(Kind::exact, 4, std::nextafter(4.0, 5.0)));
  EXPECT_FALSE(holds(Kind::exact, 0.6, 0.6000000000000001));
  EXPECT_TRUE(holds(Kind::exact, 0, -0.0));
}

TEST(Rules, ExactKeepsAll64Bits) {
  EXPECT_TRUE(holds(Kind::exact, past_2_53, past_2_53));
  EXPECT_FALSE(holds(Kind::exact, past_2_53, past_2_53 - 1));
  EXPECT_FALSE(holds(Kind::exact, past_2_53, static_cast<double>(past_2_53)));
  EXPECT_FALSE(holds(Kind::exact, static_cast<double>(past_2_53), past_2_53));
  EXPECT_FALSE(holds(Kind::exact, INT64_MAX, 0x1p63));
  EXPECT_TRUE(holds(Kind::exact, INT64_MIN, -0x1p63));
  EXPECT_FALSE(holds(Kind::exact, 1, infinity));
}

TEST(Rules, NanHoldsOnlyWhereTheLectureSaysNan) {
  EXPECT_TRUE(holds(Kind::exact, "nan", nan));
  EXPECT_TRUE(holds(Kind::exact, "nan", "nan"));  // as the JSON has it
  EXPECT_FALSE(holds(Kind::exact, "nan", 1.0));
  EXPECT_FALSE(holds(Kind::exact, 1.0, nan));
  EXPECT_FALSE(holds(Kind::exact, nan, 1.0));
  EXPECT_FALSE(holds(Kind::digits, 1.0, nan, 0.5));
  EXPECT_FALSE(holds(Kind::within, 1.0, nan, 0.5));
  EXPECT_FALSE(holds(Kind::order, 1.0, nan, 2));
  EXPECT_FALSE(holds(Kind::at_least, 1.0, nan));
  EXPECT_FALSE(holds(Kind::at_most, 1.0, nan));
  EXPECT_FALSE(holds(Kind::at_least, "nan", 1.0));
}

TEST(Rules, InfinitiesAreNumbers) {
  EXPECT_TRUE(holds(Kind::exact, "inf", infinity));
  EXPECT_TRUE(holds(Kind::exact, "-inf", -infinity));
  EXPECT_FALSE(holds(Kind::exact, "inf", -infinity));
  EXPECT_FALSE(holds(Kind::exact, "inf", 1e308));
  EXPECT_TRUE(holds(Kind::digits, "inf", infinity, 0.5));
  EXPECT_FALSE(holds(Kind::digits, "inf", 5, 0.5));
  EXPECT_FALSE(holds(Kind::within, "inf", 5, 0.5));
  EXPECT_FALSE(holds(Kind::within, 5, infinity, 0.5));
  EXPECT_FALSE(holds(Kind::order, "inf", 5, 2));
  EXPECT_TRUE(holds(Kind::at_least, 10, infinity));
  EXPECT_FALSE(holds(Kind::at_most, 10, infinity));
}

TEST(Rules, DigitsIsADistance) {
  EXPECT_TRUE(holds(Kind::digits, 464, 463.5, 0.5));
  EXPECT_TRUE(holds(Kind::digits, 464, 464.5, 0.5));
  EXPECT_FALSE(holds(Kind::digits, 464, std::nextafter(464.5, 465.0), 0.5));
  EXPECT_FALSE(holds(Kind::digits, 464, std::nextafter(463.5, 463.0), 0.5));
  EXPECT_FALSE(holds(Kind::digits, past_2_53, past_2_53 - 1, 0.5));
  EXPECT_TRUE(holds(Kind::digits, past_2_53, past_2_53 - 1, 1));
  EXPECT_FALSE(holds(Kind::digits, INT64_MIN, INT64_MAX, 1e10));
}

TEST(Rules, WithinIsAShareOfTheLecturesNumber) {
  EXPECT_TRUE(holds(Kind::within, 8, 9, 0.125));
  EXPECT_TRUE(holds(Kind::within, 8, 7, 0.125));
  EXPECT_FALSE(holds(Kind::within, 8, std::nextafter(9.0, 10.0), 0.125));
  EXPECT_TRUE(holds(Kind::within, -8, -9, 0.125));
  EXPECT_FALSE(holds(Kind::within, -8, 8, 0.125));
  EXPECT_TRUE(holds(Kind::within, 0, 0, 0.5));
  EXPECT_FALSE(holds(Kind::within, 0, 1e-300, 0.5));
}

TEST(Rules, OrderIsAFactor) {
  EXPECT_TRUE(holds(Kind::order, 8, 4, 2));
  EXPECT_TRUE(holds(Kind::order, 8, 16, 2));
  EXPECT_FALSE(holds(Kind::order, 8, std::nextafter(4.0, 3.0), 2));
  EXPECT_FALSE(holds(Kind::order, 8, std::nextafter(16.0, 17.0), 2));
  EXPECT_TRUE(holds(Kind::order, -8, -16, 2));
  EXPECT_FALSE(holds(Kind::order, -8, -17, 2));
  EXPECT_FALSE(holds(Kind::order, 8, -8, 2));
}

TEST(Rules, LimitsIncludeTheirEdge) {
  EXPECT_TRUE(holds(Kind::at_least, 1000, 1000));
  EXPECT_TRUE(holds(Kind::at_least, 1000, 1.3e5));
  EXPECT_FALSE(holds(Kind::at_least, 1000, 999.9));
  EXPECT_FALSE(holds(Kind::at_least, past_2_53, past_2_53 - 1));
  EXPECT_TRUE(holds(Kind::at_most, 1e-8, 1e-8));
  EXPECT_FALSE(holds(Kind::at_most, 1e-8, 1.1e-8));
  EXPECT_TRUE(holds(Kind::at_most, 8, 0));
}

TEST(Rules, AToleranceThatIsNoNumberNeverHolds) {
  for (const Kind kind : {Kind::digits, Kind::within, Kind::order}) {
    EXPECT_FALSE(holds(kind, 1, 1, nan));
    EXPECT_FALSE(holds(kind, 1, 999, infinity));
    EXPECT_FALSE(holds(kind, 1, 1, -1));
    EXPECT_FALSE(holds(kind, 1, 1));
  }
}

TEST(Rules, BooleansAndTextsCompareWithTheirKindOnly) {
  EXPECT_TRUE(holds(Kind::exact, true, true));
  EXPECT_FALSE(holds(Kind::exact, true, false));
  EXPECT_FALSE(holds(Kind::exact, true, 1));
  EXPECT_FALSE(holds(Kind::exact, 1, true));
  EXPECT_TRUE(holds(Kind::exact, "bf16", "bf16"));
  EXPECT_FALSE(holds(Kind::exact, "bf16", "fp32"));
  EXPECT_FALSE(holds(Kind::exact, "1", 1));
  EXPECT_FALSE(holds(Kind::digits, true, true, 0.5));
  EXPECT_FALSE(holds(Kind::at_least, "a", "b"));
}

TEST(Rules, ListsCompareElementByElement) {
  const std::vector<std::int64_t> strides = {4, 1};
  EXPECT_TRUE(holds(Kind::exact, strides, strides));
  EXPECT_TRUE(holds(Kind::exact, strides, std::vector<double>{4, 1}));
  EXPECT_FALSE(holds(Kind::exact, strides, std::vector<int>{1, 4}));
  EXPECT_FALSE(holds(Kind::exact, strides, std::vector<int>{4}));
  EXPECT_FALSE(holds(Kind::exact, strides, std::vector<int>{4, 1, 1}));
  EXPECT_FALSE(holds(Kind::exact, std::vector<int>{4}, 4));
  EXPECT_FALSE(holds(Kind::exact, std::vector<double>{1, 2}, std::vector<double>{1, nan}));
  EXPECT_TRUE(holds(Kind::digits, std::vector<double>{1, 2}, std::vector<double>{1.5, 1.5}, 0.5));
  EXPECT_FALSE(holds(Kind::digits, std::vector<double>{1, 2}, std::vector<double>{1.5, 1.4}, 0.5));
  EXPECT_TRUE(holds(Kind::exact, std::vector<int>{}, std::vector<double>{}));
  EXPECT_TRUE(holds(Kind::exact, std::vector<std::string>{"a"}, std::vector<std::string>{"a"}));
}

TEST(Rules, MachineNumbersAreShown) {
  EXPECT_EQ(decide(claim_of(Kind::machine, 0.6), 12.0), Verdict::shown);
  Claim without;
  without.kind = Kind::machine;
  EXPECT_EQ(decide(without, nan), Verdict::shown);
  without.kind = Kind::exact;
  EXPECT_EQ(decide(without, 1), Verdict::off);
}

TEST(Rules, NamesAreFoundAgain) {
  for (const Kind kind : {Kind::exact, Kind::digits, Kind::within, Kind::order, Kind::at_least,
                          Kind::at_most, Kind::machine})
    EXPECT_EQ(kind_named(name(kind)), kind);
  for (const Verdict verdict :
       {Verdict::ok, Verdict::off, Verdict::shown, Verdict::skipped, Verdict::not_checked})
    EXPECT_EQ(verdict_named(name(verdict)), verdict);
  EXPECT_EQ(kind_named("close"), std::nullopt);
}

TEST(Values, ANumberPast64BitsIsRefused) {
  EXPECT_EQ(Value(std::uint64_t{INT64_MAX}), Value(INT64_MAX));
  EXPECT_THROW(Value(std::uint64_t{INT64_MAX} + 1), Error);
}

}  // namespace
}  // namespace napkin::lecture
