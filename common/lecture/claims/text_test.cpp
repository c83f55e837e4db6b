#include "common/lecture/claims/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/lecture/claims/claim_lines.h"
#include "common/lecture/page/width.h"

namespace napkin::lecture {
namespace {

Claim claim_of(Kind kind, Value lecture, std::optional<double> tol = {}, std::string unit = "") {
  Claim claim;
  claim.id = "01.some_claim";
  claim.says = "some sentence";
  claim.kind = kind;
  claim.value = std::move(lecture);
  claim.tol = tol;
  claim.unit = std::move(unit);
  return claim;
}

TEST(Text, ValuesAsTheyAre) {
  EXPECT_EQ(plain_text(2415919104), "2415919104");
  EXPECT_EQ(plain_text(0.1 + 0.2 + 0.3), "0.6000000000000001");
  EXPECT_EQ(plain_text(4.0), "4");
  EXPECT_EQ(plain_text(1e-8), "1e-8");
  EXPECT_EQ(plain_text(3.4028234663852886e+38), "3.4028234663852886e38");
  EXPECT_EQ(plain_text(true), "yes");
  EXPECT_EQ(plain_text(false), "no");
  EXPECT_EQ(plain_text("bf16"), "bf16");
  EXPECT_EQ(plain_text(std::vector<int>{4, 1}), "(4, 1)");
  EXPECT_EQ(plain_text(std::vector<double>{}), "()");
  EXPECT_EQ(plain_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(plain_text(std::nan("")), "nan");
}

TEST(Text, LecturesNumbersShowTheirRule) {
  EXPECT_EQ(lecture_text(claim_of(Kind::digits, 464, 0.5, "GB")), "464 GB");
  EXPECT_EQ(lecture_text(claim_of(Kind::at_least, 1000)), ">= 1000");
  EXPECT_EQ(lecture_text(claim_of(Kind::at_most, 1e-8)), "<= 1e-8");
  EXPECT_EQ(lecture_text(claim_of(Kind::order, 0.06, 1.5)), "~ 0.06");
  EXPECT_EQ(lecture_text(claim_of(Kind::within, 170.66666666666666, 1e-6)), "170.6667");
  Claim none = claim_of(Kind::machine, 0);
  none.value.reset();
  EXPECT_EQ(lecture_text(none), "-");
}

TEST(Text, OurNumbersAreRoundedToWhatTheRuleSees) {
  EXPECT_EQ(got_text(claim_of(Kind::digits, 464, 0.5, "GB"), 463.856467968), "463.86 GB");
  EXPECT_EQ(got_text(claim_of(Kind::digits, 36.4, 0.05, "%"), 36.38200101), "36.382 %");
  EXPECT_EQ(got_text(claim_of(Kind::digits, 1, 1e-9), 1.0), "1");
  EXPECT_EQ(got_text(claim_of(Kind::digits, 1, 0.5), 1e30), "1e30");
  EXPECT_EQ(got_text(claim_of(Kind::within, 5.55, 0.1), 5.5451774), "5.55");
  EXPECT_EQ(got_text(claim_of(Kind::at_least, 1000), 129567.3), "1.3e5");
  EXPECT_EQ(got_text(claim_of(Kind::machine, 0.6, {}, "us"), 0.02781), "0.0278 us");
  EXPECT_EQ(got_text(claim_of(Kind::exact, 0.6), 0.6000000000000001), "0.6000000000000001");
  EXPECT_EQ(got_text(claim_of(Kind::exact, true), std::nan("")), "nan");
}

TEST(Text, RoundingNeverHidesWhyAClaimIsOff) {
  EXPECT_EQ(got_text(claim_of(Kind::at_least, 1000), 999.99), "999.99");
  EXPECT_EQ(got_text(claim_of(Kind::within, 1.0, 1e-6), 1.00000104), "1.00000104");
}

TEST(Claims, StandOnOneLineWhereTheyFit) {
  const std::vector<Claim> section = {claim_of(Kind::exact, 4),
                                      claim_of(Kind::digits, 464, 0.5, "GB")};
  const ClaimLayout layout = claim_layout(section, 96, 3);
  const auto first = claim_lines(section[0], "4", "ok", layout);
  const auto second = claim_lines(section[1], "463.86 GB", "OFF", layout);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(first[0].find("lecture"), second[0].find("lecture"));
  EXPECT_EQ(first[0].find("here"), second[0].find("here"));
  EXPECT_EQ(first[0].find("ok"), second[0].find("OFF"));
  EXPECT_TRUE(first[0].starts_with("[01.some_claim] some sentence "));
}

TEST(Claims, WhatTheLectureDoesNotPrintIsCalledDerived) {
  std::vector<Claim> section = {claim_of(Kind::exact, 4), claim_of(Kind::exact, 64)};
  section[1].stated = false;
  const ClaimLayout layout = claim_layout(section, 96, 3);
  const auto first = claim_lines(section[0], "4", "ok", layout);
  const auto second = claim_lines(section[1], "64", "ok", layout);
  EXPECT_NE(first[0].find("lecture 4 "), std::string::npos) << first[0];
  EXPECT_EQ(first[0].find("lecture 4 "), second[0].find("derived 64 ")) << second[0];
  EXPECT_EQ(first[0].find("here"), second[0].find("here"));
}

TEST(Claims, ALongSentenceTakesTheColumnsThatShortNumbersLeave) {
  std::vector<Claim> section = {claim_of(Kind::exact, 67108864, {}, "B"), claim_of(Kind::exact, 6)};
  section[1].says = "a sentence of more columns than its own";
  const ClaimLayout layout = claim_layout(section, 96, 11);
  const auto first = claim_lines(section[0], "67108864 B", "not checked", layout);
  const auto second = claim_lines(section[1], "6", "not checked", layout);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_LT(first[0].find("lecture"), second[0].find("lecture"));
  EXPECT_EQ(first[0].find("not checked"), second[0].find("not checked"));
  EXPECT_EQ(display_width(first[0]), 92);
}

TEST(Claims, StayWithinThePage) {
  std::vector<Claim> section;
  for (const int length : {1, 20, 40, 80, 200}) {
    Claim claim = claim_of(Kind::exact, std::int64_t{1} << length % 60, {}, "B");
    claim.id += std::string(static_cast<std::size_t>(length % 30), 'x');
    claim.says.clear();
    while (std::ssize(claim.says) < length) claim.says += "word ";
    section.push_back(claim);
  }
  section.push_back(claim_of(Kind::exact, std::vector<double>{0, 0.5, 1, 1.5, 2, 3, 4, 6}));
  for (const int page : {40, 60, 79, 80, 96}) {
    const ClaimLayout layout = claim_layout(section, page, 11);
    for (const Claim& claim : section)
      for (const char* verdict : {"ok", "not checked"})
        for (const std::string& line :
             claim_lines(claim, plain_text(*claim.value), verdict, layout)) {
          const bool one_word = line.find_first_of(' ', line.find_first_not_of(' ')) == line.npos;
          EXPECT_TRUE(one_word || display_width(line) + 4 <= page) << page << ": " << line;
        }
  }
}

TEST(Claims, NoNumberOfOursNoWordForIt) {
  const Claim claim = claim_of(Kind::at_least, 3);
  const auto lines = claim_lines(claim, "", "skipped (no GPU)", claim_layout({&claim, 1}, 96, 0));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].find("here"), std::string::npos);
  EXPECT_TRUE(lines[0].ends_with("skipped (no GPU)"));
}

}  // namespace
}  // namespace napkin::lecture
