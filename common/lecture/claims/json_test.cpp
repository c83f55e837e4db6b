#include "common/lecture/claims/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "common/core/error.h"

namespace napkin::lecture {
namespace {

namespace fs = std::filesystem;

// A folder of this test's own, removed at its end.
class Json : public testing::Test {
 protected:
  fs::path folder =
      fs::temp_directory_path() /
      ("napkin_json_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
       testing::UnitTest::GetInstance()->current_test_info()->name());
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string file(const std::string& text) {
    const fs::path path = folder / "file.json";
    std::ofstream(path) << text;
    return path;
  }
  std::string refusal(const std::string& text) {
    try {
      read_claims(file(text));
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  std::string refusal_of_claim(const std::string& claim) {
    return refusal(R"({"demo": "99_fake", "claims": [)" + claim + "]}");
  }
};

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_F(Json, ClaimsAreReadWithAllTheirParts) {
  const ClaimFile read = read_claims(file(R"({"demo": "99_fake", "claims": [
    {"id": "99.a", "section": "2.3", "says": "one", "kind": "digits", "value": 464, "tol": 0.5,
     "unit": "GB", "stated": false, "hint": "look there", "timing": true, "needs": "cuda"},
    {"id": "99.b", "section": "2.4", "says": "two", "kind": "machine", "value": null}]})"));
  EXPECT_EQ(read.demo, "99_fake");
  ASSERT_EQ(read.claims.size(), 2u);
  const Claim& a = read.claims[0];
  EXPECT_EQ(a.id, "99.a");
  EXPECT_EQ(a.section, "2.3");
  EXPECT_EQ(a.says, "one");
  EXPECT_EQ(a.kind, Kind::digits);
  EXPECT_EQ(a.value, Value(464));
  EXPECT_EQ(a.tol, 0.5);
  EXPECT_EQ(a.unit, "GB");
  EXPECT_EQ(a.hint, "look there");
  EXPECT_EQ(a.needs, "cuda");
  EXPECT_TRUE(a.timing);
  EXPECT_FALSE(a.stated);
  EXPECT_EQ(read.claims[1].value, std::nullopt);
  EXPECT_FALSE(read.claims[1].timing);
  EXPECT_TRUE(read.claims[1].stated);
}

TEST_F(Json, ClaimsThatCannotBeJudgedAreRefused) {
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "kind": "close",
                                "value": 1})")
                .find("no kind \"close\""),
            std::string::npos);
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "kind": "digits",
                                "value": 1})")
                .find("needs a tol"),
            std::string::npos);
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "kind": "exact",
                                "value": 1, "tol": 0.5})")
                .find("has no tol"),
            std::string::npos);
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "kind": "exact",
                                "value": null})")
                .find("no value"),
            std::string::npos);
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "kind": "order",
                                "value": 1, "tol": 0.5})")
                .find("tol 0.5"),
            std::string::npos);
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "kind": "exact",
                                "value": 1, "needs": "tpu"})")
                .find("tpu"),
            std::string::npos);
  EXPECT_NE(refusal_of_claim(R"({"id": "99.a", "section": "1", "says": "s", "value": 1})"), "");
  const std::string twice =
      R"({"id": "99.a", "section": "1", "says": "s", "kind": "exact", "value": 1})";
  EXPECT_NE(refusal_of_claim(twice + "," + twice).find("99.a stands twice"), std::string::npos);
}

TEST_F(Json, BrokenFilesAreRefusedByName) {
  for (const char* text : {"", "{", "[]", "null", R"({"demo": "x"})",
                           R"({"demo": 3, "claims": []})", R"({"demo": "x", "claims": [3]})"})
    EXPECT_NE(refusal(text).find("file.json: "), std::string::npos) << text;
  const std::string path = folder / "file.json";
  EXPECT_EQ(refusal("[]"), path + ": not a JSON object");
  EXPECT_EQ(refusal(R"({"a": 1e999})"), path + ": a number that a double cannot hold");
  EXPECT_EQ(refusal(R"({"demo": "x"})"), path + ": 'claims' is missing");
  EXPECT_EQ(refusal(R"({"demo": "x", "claims": {}})"), path + ": \"claims\" is no list");
  EXPECT_EQ(refusal(R"({"demo": 3, "claims": []})"), path + ": an entry is of the wrong type");
  EXPECT_THROW(read_texts(file("[]")), Error);
  EXPECT_THROW(read_claims(folder / "absent.json"), Error);
  EXPECT_THROW(read_claims(folder), Error);
}

Results results_with(Value got) {
  Results results;
  results.demo = "99_fake";
  Outcome outcome;
  outcome.claim.id = "99.a";
  outcome.claim.value = 1;
  outcome.got = std::move(got);
  outcome.verdict = Verdict::off;
  results.claims.push_back(outcome);
  return results;
}

TEST_F(Json, WhatIsWrittenIsReadBack) {
  const Value values[] = {true,
                          3,
                          INT64_MIN,
                          INT64_MAX,
                          (std::int64_t{1} << 53) + 1,
                          0.1,
                          5e-324,
                          "text \"quoted\" \xE5\xBC\xA0",
                          std::vector<int>{4, 1},
                          std::vector<double>{0.5, 1},
                          std::vector<std::string>{"a", "b"}};
  for (const Value& value : values) {
    const ReportedResults read = read_results(file(to_json(results_with(value))));
    EXPECT_EQ(read.demo, "99_fake");
    EXPECT_TRUE(read.lecture_setting);
    ASSERT_EQ(read.claims.size(), 1u);
    EXPECT_EQ(read.claims[0].id, "99.a");
    EXPECT_EQ(read.claims[0].verdict, "off");
    EXPECT_EQ(read.claims[0].got, value);
  }
}

TEST_F(Json, NumbersThatJsonLacksAreTexts) {
  const auto got = [&](Value v) {
    return read_results(file(to_json(results_with(v)))).claims[0].got;
  };
  EXPECT_EQ(got(infinity), Value("inf"));
  EXPECT_EQ(got(-infinity), Value("-inf"));
  EXPECT_EQ(got(std::nan("")), Value("nan"));
  EXPECT_EQ(got(-std::nan("")), Value("nan"));
  EXPECT_EQ(got(std::vector<double>{1.5, infinity}), Value(std::vector<double>{1.5, infinity}));
}

TEST_F(Json, AListWithAnInfinityStillCompares) {
  Claim claim;
  claim.value = std::vector<double>{1.5, infinity};
  const auto got = read_results(file(to_json(results_with(*claim.value)))).claims[0].got;
  EXPECT_EQ(decide(claim, *got), Verdict::ok);
  EXPECT_EQ(decide(claim, std::vector<double>{1.25, infinity}), Verdict::off);
}

TEST_F(Json, TheWholeShape) {
  Results results = results_with(2.5);
  results.seed = UINT64_MAX;
  results.threads = 2;
  results.claims[0].claim.section = "2.3";
  results.claims[0].claim.says = "s";
  results.values = {{"bytes", 96}, {"infinite", infinity}};
  EXPECT_EQ(to_json(results), R"({
  "demo": "99_fake",
  "device": "cpu",
  "threads": 2,
  "seed": 18446744073709551615,
  "lecture_setting": true,
  "claims": [
    {
      "id": "99.a",
      "section": "2.3",
      "says": "s",
      "kind": "exact",
      "lecture": 1,
      "got": 2.5,
      "tol": null,
      "unit": null,
      "verdict": "off"
    }
  ],
  "values": {
    "bytes": 96,
    "infinite": "inf"
  }
}
)");
}

TEST_F(Json, CutOffResultsAreRefused) {
  const std::string whole = to_json(results_with(2.5));
  for (std::size_t length = 0; length + 2 < whole.size(); length += 7)
    EXPECT_THROW(read_results(file(whole.substr(0, length))), Error) << length;
}

}  // namespace
}  // namespace napkin::lecture
