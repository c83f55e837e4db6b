// The checker and the ctest lines, with a small demo that can be told to go wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/lecture/build.h"
#include "common/lecture/claims/json.h"
#include "common/lecture/testing/run_fake.h"

namespace napkin::lecture {
namespace {

namespace fs = std::filesystem;

const std::string claims_file = NAPKIN_SOURCE "/common/lecture/testing/claims.json";

class ClaimCheck : public WithFolder {
 protected:
  std::string json = folder / "sub" / "out.json";
  static Ended check(const Words& arguments) {
    Words words = {NAPKIN_CHECK};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program(words);
  }
  Ended run(const std::string& fake, const Words& flags = {}) {
    Words words = {"env", "FAKE=" + fake, NAPKIN_CHECK, "run", NAPKIN_FAKE, claims_file, json};
    words.insert(words.end(), flags.begin(), flags.end());
    return run_program(words);
  }
  int judged(const std::string& id) { return check({"check", json, claims_file, id}).exit_code; }

  // Changes the written results; what stood there must have been there.
  void replace(const std::string& from, const std::string& to) {
    std::string changed = contents(json);
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(json) << changed.replace(at, from.size(), to);
  }
};

TEST_F(ClaimCheck, EachClaimIsJudgedByItself) {
  ASSERT_EQ(run("").exit_code, 0);
  for (const char* id :
       {"99.whole", "99.list", "99.yes", "99.infinite", "99.digits", "99.undefined", "99.measured"})
    EXPECT_EQ(judged(id), 0) << id;
  EXPECT_EQ(judged("99.faster"), timing_is_meaningful() ? 0 : 77);
  EXPECT_EQ(judged("99.gpu"), 77);
  EXPECT_EQ(judged("99.nobody"), 1);
  EXPECT_EQ(check({"complete", json, claims_file}).exit_code, 0);
}

TEST_F(ClaimCheck, AnOffClaimShowsBothNumbersAndTheHint) {
  ASSERT_EQ(run("digits").exit_code, 0);
  const Ended ended = check({"check", json, claims_file, "99.digits"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(ended.output, "464")) << ended.output;
  EXPECT_TRUE(has(ended.output, "465.1"));
  EXPECT_TRUE(has(ended.output, "Is it GB or GiB?"));
  EXPECT_EQ(judged("99.whole"), 0);
}

TEST_F(ClaimCheck, ADemoCannotCallItselfOk) {
  ASSERT_EQ(run("off").exit_code, 0);
  EXPECT_EQ(judged("99.whole"), 1);
  replace("\"verdict\": \"off\"", "\"verdict\": \"ok\"");
  EXPECT_EQ(judged("99.whole"), 1);
}

TEST_F(ClaimCheck, TheDemosVerdictMustBeTheSame) {
  ASSERT_EQ(run("").exit_code, 0);
  replace("\"verdict\": \"ok\"", "\"verdict\": \"off\"");
  EXPECT_EQ(judged("99.whole"), 1);
}

TEST_F(ClaimCheck, OnlyWhatNeedsSomethingMayBeSkipped) {
  ASSERT_EQ(run("").exit_code, 0);
  replace("\"verdict\": \"ok\"", "\"verdict\": \"skipped\"");
  EXPECT_EQ(judged("99.whole"), 1);
}

TEST_F(ClaimCheck, OnlyTimingMayGoUnchecked) {
  ASSERT_EQ(run("", {"--quick"}).exit_code, 0);
  EXPECT_EQ(judged("99.faster"), timing_is_meaningful() ? 1 : 77);
  replace("\"verdict\": \"ok\"", "\"verdict\": \"not checked\"");
  EXPECT_EQ(judged("99.whole"), 1);
}

TEST_F(ClaimCheck, NanNeverPasses) {
  ASSERT_EQ(run("").exit_code, 0);
  replace("\"got\": 463.856", "\"got\": \"nan\"");
  EXPECT_EQ(judged("99.digits"), 1);
  EXPECT_EQ(judged("99.undefined"), 0);
}

TEST_F(ClaimCheck, MissingUnknownAndRepeatedClaimsFail) {
  ASSERT_EQ(run("missing").exit_code, 0);
  EXPECT_EQ(judged("99.yes"), 1);
  ASSERT_EQ(run("unknown").exit_code, 0);
  const Ended unknown = check({"complete", json, claims_file});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(has(unknown.output, "99.nobody"));
  ASSERT_EQ(run("twice").exit_code, 0);
  EXPECT_EQ(judged("99.list"), 1);
  EXPECT_EQ(check({"complete", json, claims_file}).exit_code, 1);
}

TEST_F(ClaimCheck, ARunThatDoesNotEndWellFails) {
  for (const char* fake : {"error", "memory", "exception", "crash"}) {
    fs::create_directories(folder / "sub");
    std::ofstream(json) << "left from before";
    const Ended ended = run(fake);
    EXPECT_EQ(ended.exit_code, 1) << fake;
    EXPECT_TRUE(has(ended.output, "Whole numbers")) << ended.output;  // the demo's last lines
    EXPECT_FALSE(fs::exists(json)) << fake;
  }
  EXPECT_TRUE(has(run("crash").output, "signal 9"));
  EXPECT_EQ(run("", {"--rows", "7"}).exit_code, 1);  // not the lecture's setting
}

TEST_F(ClaimCheck, ResultsThatAreNotCompleteFail) {
  const fs::path program = folder / "program";
  const auto runs_as = [&](const std::string& body) {
    std::ofstream(program) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(program, fs::perms::owner_all);
    return check({"run", program, claims_file, json}).exit_code;
  };
  EXPECT_EQ(runs_as(std::string(NAPKIN_FAKE) + " \"$@\""), 0);
  EXPECT_EQ(runs_as("exit 0"), 1);  // nothing written: the old file must be gone
  EXPECT_EQ(runs_as("echo '{\"demo\": \"99_fake\"' > \"$2\""), 1);
  EXPECT_EQ(runs_as("echo '{\"demo\": \"99_fake\"}' > \"$2\""), 1);
  EXPECT_EQ(runs_as("echo '{\"demo\": \"98_other\", \"lecture_setting\": true, \"claims\": [], "
                    "\"values\": {}}' > \"$2\""),
            1);
  EXPECT_EQ(runs_as("echo '{\"demo\": \"99_fake\", \"lecture_setting\": true, \"claims\": [], "
                    "\"values\": {}}' > \"$2\""),
            0);
  EXPECT_EQ(judged("99.whole"), 1);
  EXPECT_EQ(check({"complete", json, claims_file}).exit_code, 1);
  EXPECT_EQ(check({"run", folder / "absent", claims_file, json}).exit_code, 1);
}

TEST_F(ClaimCheck, BadUseIsExplained) {
  for (const Words& words : {Words{}, {"judge"}, {"check", "a"}, {"run", "a"}}) {
    const Ended ended = check(words);
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_TRUE(has(ended.output, "claim_check check OUT.json CLAIMS.json ID"));
  }
  EXPECT_EQ(check({"check", folder / "absent.json", claims_file, "99.whole"}).exit_code, 1);
}

// The ctest lines themselves, in a project of their own.
class CtestLines : public ClaimCheck {
 protected:
  void SetUp() override {
    WithFolder::SetUp();
    const Ended made = run_program({NAPKIN_CMAKE, "-S", NAPKIN_SOURCE "/common/lecture/testing",
                                    "-B", folder, "-DSOURCE=" NAPKIN_SOURCE, "-DDEMO=" NAPKIN_FAKE,
                                    "-DCHECK=" NAPKIN_CHECK, "-DCLAIMS=" + claims_file});
    ASSERT_EQ(made.exit_code, 0) << made.output;
  }
  // The lines of ctest's report that name a claim, with what became of it.
  std::string report(const std::string& fake) {
    return run_program({"env", "FAKE=" + fake, NAPKIN_CTEST, "--test-dir", folder}).output;
  }
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  static constexpr const char* failed = "***Failed";
};

TEST_F(CtestLines, SentencesSurviveWhateverTheyHold) {
  const Ended listed = run_program({NAPKIN_CTEST, "--test-dir", folder, "-N"});
  for (const Claim& claim : read_claims(claims_file).claims)
    EXPECT_TRUE(has(listed.output, ": claim." + claim.id + " " + claim.says + "\n"))
        << listed.output;
  EXPECT_TRUE(has(listed.output, "Total Tests: 11"));
}

TEST_F(CtestLines, WhenAllHoldsTheGpuIsSkipped) {
  const std::string text = report("");
  EXPECT_EQ(count(text, failed), 0) << text;
  EXPECT_EQ(count(text, "***Skipped"), timing_is_meaningful() ? 1 : 2) << text;
}

TEST_F(CtestLines, OneClaimOffTurnsExactlyOneLineRed) {
  const std::string text = report("off");
  EXPECT_EQ(count(text, failed), 1) << text;
  EXPECT_TRUE(has(text, "claim.99.whole a whole number (Failed)")) << text;
}

TEST_F(CtestLines, ACrashMakesTheClaimsNotRun) {
  const std::string text = report("crash");
  EXPECT_EQ(count(text, failed), 1) << text;
  EXPECT_EQ(count(text, "***Not Run"), 10) << text;
}

TEST_F(CtestLines, OneLineCanBeAskedFor) {
  const Ended ended = run_program({NAPKIN_CTEST, "--test-dir", folder, "-R", "claim.99.list"});
  EXPECT_TRUE(has(ended.output, "demo.99.run"));
  EXPECT_TRUE(has(ended.output, "100% tests passed, 0 tests failed out of 2")) << ended.output;
}

}  // namespace
}  // namespace napkin::lecture
