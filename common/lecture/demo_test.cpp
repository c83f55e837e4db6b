// Demos as a student meets them: a small one is run with many command lines.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "common/lecture/build.h"
#include "common/lecture/claims/json.h"
#include "common/lecture/page/width.h"
#include "common/lecture/testing/run_fake.h"

namespace napkin::lecture {
namespace {

namespace fs = std::filesystem;

Ended shell(const std::string& line) { return run_program({"sh", "-c", line}); }

class Demos : public WithFolder {
 protected:
  std::string json = folder / "out.json";
};

TEST_F(Demos, AFullRunHolds) {
  const Ended ended = fake_demo({"--json", json});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "99  A demo for tests")) << ended.output;
  EXPECT_TRUE(has(ended.output, "[99.whole]"));
  EXPECT_TRUE(has(ended.output, "lecture 9007199254740993 B"));
  EXPECT_TRUE(has(ended.output, "here 9007199254740993 B"));
  EXPECT_TRUE(has(ended.output, "lecture 464 GB"));
  EXPECT_TRUE(has(ended.output, "derived (4, 1)"));  // follows from what the lecture prints
  EXPECT_TRUE(has(ended.output, "here 463.86 GB"));
  EXPECT_TRUE(has(ended.output, "skipped (no GPU)"));
  EXPECT_TRUE(has(ended.output, "no GPU (1 claim skipped)"));
  EXPECT_TRUE(
      has(ended.output, timing_is_meaningful()
                            ? "7 claims hold, 1 shown, 1 skipped (no GPU), 0 off."
                            : "6 claims hold, 1 shown, 1 skipped (no GPU), 1 not checked, 0 off."))
      << ended.output;
  EXPECT_TRUE(has(ended.output, "Try:  99_fake shape --shape 2,3"));
  const ReportedResults results = read_results(json);
  EXPECT_EQ(results.demo, "99_fake");
  EXPECT_TRUE(results.lecture_setting);
  EXPECT_EQ(results.claims.size(), 9u);
}

TEST_F(Demos, APageIsAtMostAsWideAsTheTerminal) {
  for (const int columns : {60, 80, 96, 200}) {
    const Ended ended = fake_demo({}, {"COLUMNS=" + std::to_string(columns)});
    std::istringstream lines(ended.output);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), std::min(columns, 96)) << line;
    EXPECT_FALSE(has(ended.output, "\033"));  // no colour: not a terminal
  }
}

TEST_F(Demos, AnOffClaimSaysWhatToDo) {
  const Ended ended = fake_demo({"--json", json}, {"FAKE=digits"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(ended.output, "OFF"));
  EXPECT_TRUE(has(ended.output, "Is it GB or GiB?"));
  EXPECT_TRUE(has(ended.output, ", 1 off."));
  EXPECT_TRUE(has(contents(json), "\"verdict\": \"off\""));
  EXPECT_EQ(fake_demo({}, {"FAKE=off"}).exit_code, 1);  // one bit past 2^53
}

TEST_F(Demos, QuietPrintsWhatIsOffAndTheLastLine) {
  const Ended fine = fake_demo({"--quiet"});
  EXPECT_FALSE(has(fine.output, "[99.whole]"));
  EXPECT_TRUE(has(fine.output, "0 off."));
  EXPECT_TRUE(has(fine.output, "\n99_fake: ")) << fine.output;
  const Ended off = fake_demo({"--quiet"}, {"FAKE=digits"});
  EXPECT_TRUE(has(off.output, "[99.digits]"));
  EXPECT_FALSE(has(off.output, "[99.whole]"));
  EXPECT_FALSE(has(off.output, "Reals"));
}

TEST_F(Demos, FaultyReportsAreFailures) {
  const Ended unknown = fake_demo({"--json", json}, {"FAKE=unknown"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(has(unknown.output, "99_fake: claims.json has no claim 99.nobody"));
  EXPECT_TRUE(has(contents(json), "99.nobody"));
  const Ended twice = fake_demo({}, {"FAKE=twice"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_TRUE(has(twice.output, "99_fake: claim 99.list was reported twice"));
  const Ended missing = fake_demo({}, {"FAKE=missing"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(has(missing.output, "99_fake: claim 99.yes was not reported"));
  EXPECT_TRUE(has(missing.output, ", 1 off."));
  const Ended skip = fake_demo({}, {"FAKE=skip"});
  EXPECT_EQ(skip.exit_code, 2);
  EXPECT_TRUE(has(skip.output, "cannot be skipped"));
}

TEST_F(Demos, OtherInputsAreNotChecked) {
  for (const Words& words :
       {Words{"--rows", "4"}, {"--scale=0.25"}, {"--slow"}, {"--seed", "43"}}) {
    Words all = words;
    all.insert(all.end(), {"--json", json});
    const Ended ended = fake_demo(all, {"FAKE=off"});
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
    const std::string sentence = "not the lecture's setting: claims not checked";
    const std::size_t first = ended.output.find(sentence);
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(ended.output.find(sentence, first + 1), std::string::npos);
    EXPECT_FALSE(has(ended.output, " ok"));
    EXPECT_TRUE(has(ended.output, "8 claims not checked"));
    EXPECT_FALSE(read_results(json).lecture_setting);
    for (const Reported& claim : read_results(json).claims)
      EXPECT_TRUE(claim.verdict == "not checked" || claim.verdict == "skipped") << claim.id;
  }
}

TEST_F(Demos, TheLecturesInputsGivenAgainAreChecked) {
  const Ended ended =
      fake_demo({"--rows", "3", "--scale", "5e-1", "--slow=no", "--seed", "42", "--json", json});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(read_results(json).lecture_setting);
  EXPECT_TRUE(has(contents(json), "\"seed\": 42"));
}

TEST_F(Demos, OneSectionLeavesTheRestUnchecked) {
  const Ended ended = fake_demo({"--section", "1.2", "--json", json});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "3 claims hold, 6 not checked, 0 off."));
  EXPECT_FALSE(has(ended.output, "[99.whole]"));
  EXPECT_EQ(read_results(json).claims.size(), 9u);
  EXPECT_TRUE(has(fake_demo({"--section", "1"}).output, "6 claims hold"));
  EXPECT_EQ(fake_demo({"--section", "1.1"}, {"FAKE=off"}).exit_code, 1);
  const Ended unknown = fake_demo({"--section", "3", "--plot", folder / "plots"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.output,
            "99_fake: --section 3: there is no such section; these exist: 1.1, 1.2, 2.1\n");
  EXPECT_FALSE(fs::exists(folder / "plots"));
}

TEST_F(Demos, ListNamesTheSections) {
  const Ended ended = fake_demo({"--list"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output, "1.1    Whole numbers\n1.2    Reals\n2.1    Time\n");
}

TEST_F(Demos, AGpuIsUsedWhereThereIsOne) {
  const Ended with = fake_demo({}, {"FAKE=gpu here"});
  EXPECT_EQ(with.exit_code, 0);
  EXPECT_TRUE(has(with.output, "a GPU\n"));
  EXPECT_FALSE(has(with.output, "skipped"));
  const Ended forbidden = fake_demo({"--device", "cpu"}, {"FAKE=gpu here"});
  EXPECT_TRUE(has(forbidden.output, "skipped (--device cpu)"));
  EXPECT_EQ(fake_demo({"--device", "cuda", "--json", json}, {"FAKE=gpu here"}).exit_code, 0);
  EXPECT_TRUE(has(contents(json), "\"device\": \"cuda\""));
}

TEST_F(Demos, TimingIsNotCheckedWhenItIsQuick) {
  const Ended ended = fake_demo({"--quick"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(
      has(ended.output, "6 claims hold, 1 shown, 1 skipped (no GPU), 1 not checked, 0 off."));
}

TEST_F(Demos, WhatASectionThrowsIsASentence) {
  const std::vector<std::pair<std::string, std::string>> thrown = {
      {"error", "shapes 2 and 3 do not match"},
      {"memory", "not enough memory"},
      {"exception", "something else"},
      {"number", "not a std::exception"}};
  for (const auto& [fake, sentence] : thrown) {
    const Ended ended = fake_demo({"--json", json}, {"FAKE=" + fake});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_TRUE(has(ended.output, "99_fake: ")) << ended.output;
    EXPECT_TRUE(has(ended.output, sentence)) << ended.output;
    EXPECT_TRUE(fs::is_empty(folder));  // no JSON, not even half of it
  }
}

TEST_F(Demos, OutputThatNobodyReadsEndsQuietly) {
  const std::string program = NAPKIN_FAKE;
  const Ended head = shell("{ " + program + "; echo code $? >&2; } | head -n 1");
  EXPECT_TRUE(has(head.output, "code 0")) << head.output;
  EXPECT_FALSE(has(head.output, "99_fake: ")) << head.output;
  const Ended with_json =
      shell("{ FAKE=off " + program + " --json " + json + "; echo code $? >&2; } | true");
  EXPECT_TRUE(has(with_json.output, "code 1")) << with_json.output;
  EXPECT_EQ(read_results(json).claims.size(), 9u);
}

TEST_F(Demos, OutputThatCannotBeWrittenIsAFailure) {
  const std::string program = NAPKIN_FAKE;
  const Ended full = shell(program + " --json " + json + " > /dev/full; echo code $?");
  EXPECT_EQ(full.output, "99_fake: standard output: No space left on device\ncode 2\n");
  EXPECT_FALSE(fs::exists(json));
  const Ended closed = shell("(" + program + " >&-; echo code $? >&2) 2>&1");
  EXPECT_TRUE(has(closed.output, "standard output: Bad file descriptor")) << closed.output;
  EXPECT_TRUE(has(closed.output, "code 2"));
}

TEST_F(Demos, PicturesAreWrittenWhereAsked) {
  const Ended ended = fake_demo({"--plot", folder / "new" / "plots"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(has(contents(folder / "new" / "plots" / "time.svg"), "<svg"));
  EXPECT_TRUE(has(ended.output, "picture: " + (folder / "new" / "plots" / "time.svg").string()));
  EXPECT_FALSE(has(ended.output, "no picture"));
  EXPECT_TRUE(
      has(fake_demo({"--plot", folder, "--section", "1"}).output, "no picture in this part"));
  EXPECT_TRUE(has(fake_demo({"--plot", folder, "echo", "a"}).output, "no picture in this part"));
}

TEST_F(Demos, APipeGetsTheJson) {
  const std::string pipe = folder / "pipe";
  const Ended ended = shell("mkfifo " + pipe + "; timeout 20 cat " + pipe + " > " + json +
                            " & sleep 0.1; timeout 20 " + NAPKIN_FAKE + " --quiet --json " + pipe +
                            "; echo code $?; wait");
  EXPECT_TRUE(has(ended.output, "code 0")) << ended.output;
  EXPECT_EQ(read_results(json).claims.size(), 9u);
}

TEST_F(Demos, ThreadsThatCannotBeMadeAreRefused) {
  const std::string plots = folder / "plots";
  const Ended ended = shell("ulimit -v 300000; " NAPKIN_FAKE " --threads 64 --json " + json +
                            " --plot " + plots + "; echo $?");
  if (has(ended.output, "Sanitizer")) GTEST_SKIP() << "a sanitizer needs more address space";
  EXPECT_TRUE(ended.output.starts_with("99_fake: --threads 64: only ")) << ended.output;
  EXPECT_TRUE(ended.output.ends_with(" threads can be made here, not 64\n2\n")) << ended.output;
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(Demos, AFileSizeLimitIsASentence) {
  const Ended ended = shell("ulimit -f 1; " NAPKIN_FAKE " --quiet --json " + json + "; echo $?");
  EXPECT_TRUE(has(ended.output, "99_fake: " + json + " cannot be written: File too large\n2\n"))
      << ended.output;
  EXPECT_TRUE(fs::is_empty(folder));
}

// The same on a terminal: in colour, and as wide as the terminal is.
std::string on_terminal(const std::string& environment, unsigned short columns) {
  winsize size{};
  size.ws_row = 25;
  size.ws_col = columns;
  int terminal = 0;
  if (forkpty(&terminal, nullptr, nullptr, &size) == 0) {
    execlp("env", "env", "-u", "COLUMNS", "-u", "NO_COLOR", "TERM=xterm", environment.c_str(),
           NAPKIN_FAKE, nullptr);
    _exit(127);
  }
  std::string text;
  char piece[4096];
  for (ssize_t got; (got = read(terminal, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(got));
  close(terminal);
  wait(nullptr);
  return text;
}

TEST_F(Demos, ATerminalGetsColourAndItsWidth) {
  const std::string text = on_terminal("FAKE=digits", 60);
  EXPECT_TRUE(has(text, "\033[32mok\033[0m")) << text;
  EXPECT_TRUE(has(text, "\033[1;31mOFF\033[0m"));  // the word says it without colour, too
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 60) << line;
  EXPECT_FALSE(has(on_terminal("NO_COLOR=1", 60), "\033"));
  EXPECT_FALSE(has(on_terminal("TERM=dumb", 60), "\033"));
}

TEST_F(Demos, SpeakChinese) {
  const Ended ended = fake_demo({}, {"LANG=zh_CN.UTF-8", "NAPKIN_STRICT_TEXT=1"});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "0.5 的行，共 3 行"));  // the order of the values is another one
  EXPECT_TRUE(has(ended.output, "讲义 464 GB"));
  EXPECT_TRUE(has(ended.output, "7 项符合") || !timing_is_meaningful());
  EXPECT_FALSE(has(fake_demo({"--lang", "en"}, {"LANG=zh_CN.UTF-8"}).output, "讲义"));
  EXPECT_TRUE(has(fake_demo({"--lang", "zh"}).output, "讲义"));
  EXPECT_EQ(fake_demo({"--threads", "0"}, {"LANG=zh_CN.UTF-8"}).output,
            "99_fake: --threads 0: not a whole number from 1 to 1024\n");
}

TEST_F(Demos, UntranslatedTextIsFound) {
  const Ended key = fake_demo({"--lang", "zh"}, {"NAPKIN_STRICT_TEXT=1", "FAKE=unknown text"});
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_TRUE(has(key.output, "not in zh.json: Nobody translated me."));
  const Ended line = fake_demo({"--lang", "zh"}, {"NAPKIN_STRICT_TEXT=1", "FAKE=english"});
  EXPECT_EQ(line.exit_code, 2);
  EXPECT_TRUE(has(line.output, "not in zh.json: this line was not translated"));
}

}  // namespace
}  // namespace napkin::lecture
