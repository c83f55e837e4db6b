// What the checks of an exercise say of an answer; printed, since no grader listens.
#include "exercises/grading/check.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <locale>
#include <stdexcept>

#include "common/tensor/create.h"
#include "common/tensor/tensor.h"
#include "exercises/grading/channel.h"

namespace napkin::exercises {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Calls `check` on checks of its own; returns the words that were sent.
template <class Check>
std::string said(Check&& check) {
  Channel channel;
  Checks checks(channel);
  testing::internal::CaptureStdout();
  check(checks);
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

template <class T>
std::string outcome(const T& got, const T& right) {
  const std::string all = said([&](Checks& c) {
    c.equal(
        "in", [&] { return got; }, right);
  });
  const bool passed = all.find("\npassed  \n") != std::string::npos;
  EXPECT_NE(passed, all.find("\nfailed  ") != std::string::npos) << all;
  return passed ? "passed" : "failed";
}

std::string difference(const Tensor& got, const Tensor& right) {
  const Difference d = first_difference(got, right);
  return d.place + "|" + d.got + "|" + d.right;
}

TEST(Checks, EqualValuesPass) {
  EXPECT_EQ(outcome(3, 3), "passed");
  EXPECT_EQ(outcome(3, 4), "failed");
  EXPECT_EQ(outcome(true, false), "failed");
  EXPECT_EQ(outcome(nan, nan), "passed");
  EXPECT_EQ(outcome(nan, 1.0), "failed");
  EXPECT_EQ(outcome(1.0, nan), "failed");
  EXPECT_EQ(outcome(0.0, -0.0), "passed");
  EXPECT_EQ(outcome(1.0, std::nextafter(1.0, 2.0)), "failed");
  EXPECT_EQ(outcome(infinity, -infinity), "failed");
  EXPECT_EQ(outcome(std::string("a"), std::string("b")), "failed");
  EXPECT_EQ(outcome(Dims{2, 3}, Dims{2, 3}), "passed");
  EXPECT_EQ(outcome(Dims{2, 3}, Dims{3, 2}), "failed");
  EXPECT_EQ(outcome(Dims{2}, Dims{2, 1}), "failed");
  EXPECT_EQ(outcome(Bits{0x3F80, 4}, Bits{0x3F80, 4}), "passed");
  EXPECT_EQ(outcome(Bits{0x3F80, 4}, Bits{0x3F81, 4}), "failed");
}

TEST(Checks, CloseMeansWithinTheTolerance) {
  EXPECT_TRUE(near(1.0, 1.5, 0.5));
  EXPECT_FALSE(near(1.0, 1.75, 0.5));
  EXPECT_TRUE(near(nan, nan, 0.5));
  EXPECT_FALSE(near(nan, 1.0, infinity));
  EXPECT_FALSE(near(1.0, nan, infinity));
  EXPECT_TRUE(near(infinity, infinity, 0.0));
  EXPECT_FALSE(near(infinity, 1.0, 1e300));
}

TEST(Checks, TensorsAreComparedByTypeShapeAndValues) {
  const Tensor x = arange(6).reshape({2, 3});
  EXPECT_EQ(outcome(x, x.clone()), "passed");
  EXPECT_EQ(outcome(x.t().contiguous().t(), x), "passed");  // strides are not looked at
  EXPECT_EQ(outcome(x.t(), x), "failed");
  EXPECT_EQ(outcome(x.reshape({3, 2}), x), "failed");
  EXPECT_EQ(outcome(x.to(DType::fp64), x), "failed");
  EXPECT_EQ(outcome(Tensor(), x), "failed");
  EXPECT_EQ(outcome(Tensor(), Tensor()), "failed");
  Tensor other = x.to(DType::fp32).clone();
  other.slice(0, 1, 2).slice(1, 0, 1).fill_(7.0);
  EXPECT_EQ(difference(other, x.to(DType::fp32)), "(1, 0)|7|3");
  EXPECT_EQ(difference(x.t(), x), "||");
  EXPECT_EQ(difference(x.to(DType::fp64), x), "dtype|fp64|int64");
  EXPECT_FALSE(near(other, x.to(DType::fp32), 3.5));
  EXPECT_TRUE(near(other, x.to(DType::fp32), 4.0));
  other.slice(0, 1, 2).slice(1, 0, 1).fill_(nan);
  EXPECT_FALSE(near(other, x.to(DType::fp32), infinity));
  other.slice(0, 1, 2).slice(1, 0, 1).fill_(-nan);
  EXPECT_EQ(difference(other, x.to(DType::fp32)), "(1, 0)|nan|3");
}

TEST(Checks, ValuesAreShownAsTheLectureWritesThem) {
  EXPECT_EQ(text_of(true), "true");
  EXPECT_EQ(text_of(std::int64_t{-5}), "-5");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(0.1f), "0.1");
  EXPECT_EQ(text_of(Dims{}), "()");
  EXPECT_EQ(text_of(Dims{2, 3}), "(2, 3)");
  EXPECT_EQ(text_of(Bits{0x7F, 4}), "0x007F");
  EXPECT_EQ(text_of(Bits{0x12345678, 8}), "0x12345678");
  EXPECT_EQ(text_of(Tensor()), "a tensor that was never assigned");
  for (const double x : {nan, -nan}) {
    EXPECT_EQ(text_of(x), "nan");
    EXPECT_EQ(text_of(static_cast<float>(x)), "nan");
  }
}

TEST(Checks, SmallTensorsAreShownInRowsAndOthersAsAListThatMayBeBroken) {
  EXPECT_EQ(text_of(arange(3)), "shape (3)\n0, 1, 2");
  EXPECT_EQ(text_of(from_data<float>({0.1f, -11.25f, std::nanf("")}, {3})),
            "shape (3)\n0.1, -11.25, nan");
  EXPECT_EQ(text_of(arange(0)), "shape (0)\n");
  EXPECT_EQ(text_of(arange(6).reshape({2, 3})),
            "shape (2, 3)\ntensor([[0, 1, 2],\n        [3, 4, 5]])");
  const std::string many = text_of(arange(65));
  EXPECT_TRUE(many.starts_with("shape (65)\n0, 1, 2, 3, ")) << many;
  EXPECT_TRUE(many.ends_with(", 62, 63, ...")) << many;
  EXPECT_TRUE(text_of(arange(64)).ends_with(", 62, 63"));
  // Rows that a page of 80 columns would have to break, and rows that it would not.
  EXPECT_TRUE(text_of(arange(26).reshape({2, 13})).starts_with("shape (2, 13)\n0, 1, 2, "));
  EXPECT_TRUE(text_of(arange(24).reshape({2, 12})).starts_with("shape (2, 12)\ntensor([["));
}

// An answer may leave another locale behind.
TEST(Checks, TheLocaleDoesNotShow) {
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Commas));
  EXPECT_EQ(text_of(1234.5), "1234.5");
  EXPECT_EQ(text_of(1234567), "1234567");
  EXPECT_EQ(text_of(Dims{1000, 2}), "(1000, 2)");
  const std::string tensor = text_of(arange(0, 3000, 1000).reshape({1, 3}));
  EXPECT_TRUE(tensor.ends_with("tensor([[   0, 1000, 2000]])")) << tensor;
  EXPECT_EQ(text_of(arange(0, 3000, 1000)), "shape (3)\n0, 1000, 2000");
  std::locale::global(before);
}

TEST(Checks, WhatIsThrownIsAnOutcome) {
  const auto thrown = [](auto what) {
    return said([&](Checks& c) {
      c.equal<int>(
          "in", [&]() -> int { throw what; }, 1);
    });
  };
  EXPECT_NE(thrown(std::out_of_range("far")).find("threw  std::out_of_range: far"),
            std::string::npos);
  EXPECT_NE(thrown(std::bad_alloc()).find("threw  memory"), std::string::npos);
  EXPECT_NE(thrown(3).find("threw  something"), std::string::npos);
  EXPECT_NE(thrown(NotDoneYet{"99/x"}).find("undone  99/x"), std::string::npos);
}

TEST(Checks, WhatIsWithinTheToleranceIsNotTheDifferenceShown) {
  const Tensor right = from_data<float>({1, 2, 3}, {3}),
               got = from_data<float>({1.125f, 2, 4}, {3});
  const std::string all = said([&](Checks& c) {
    c.close(
        "in", [&] { return got; }, right, 0.25);
  });
  EXPECT_NE(all.find("  (2)  4  3  \n"), std::string::npos) << all;
}

// Of a mistake with several values one will do.
TEST(Checks, EveryMistakeThatWouldHaveBeenNoticedIsMarked) {
  const std::string all = said([](Checks& c) {
    c.equal("in", [] { return 3; }, 1, {{"a", 3}, {"b", 4}, {"c", 2}, {"c", 3}, {"right", 1}});
    c.close("in", [] { return 3.1; }, 1.0, 0.25, {{"d", 3.0}, {"e", 4.0}});
    c.equal("in", [] { return 1; }, 1, {{"f", 3}, {"unnoticed", 1}, {"g", 2}, {"g", 1}});
    c.close("in", [] { return 1.2; }, 1.0, 0.25, {{"h", 1.4}, {"i", 0.8}});
    EXPECT_EQ(c.count(), 4);
  });
  EXPECT_NE(all.find("failed  3        +a  -b  +c  -right  \n"), std::string::npos) << all;
  EXPECT_NE(all.find("failed  3.1        +d  -e  \n"), std::string::npos) << all;
  EXPECT_NE(all.find("passed  -f  \n"), std::string::npos) << all;
  EXPECT_NE(all.find("passed  +h  \n"), std::string::npos) << all;
}

// Even where the check was written so that the right value shares the input's storage.
TEST(Checks, AnAnswerThatChangesItsInputDoesNotChangeTheRightValue) {
  Tensor x = arange(4);
  const std::string all = said([&](Checks& c) {
    c.equal("in", [&] { return x.fill_(0); }, x, {{"first", x.slice(0, 0, 1)}});
  });
  EXPECT_NE(all.find("failed"), std::string::npos) << all;
}

TEST(Checks, HowTheAnswerRoundsEndsWithIt) {
  const int before = std::fegetround();
  said([](Checks& c) {
    c.equal(
        "in", [] { return std::fesetround(FE_DOWNWARD); }, 0);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    c.equal<int>(
        "in",
        []() -> int {
          std::fesetround(FE_UPWARD);
          throw 1;
        },
        0);
  });
  EXPECT_EQ(std::fegetround(), before);
}

}  // namespace
}  // namespace napkin::exercises
