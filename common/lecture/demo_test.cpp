// Demos as a student meets them: a small one is run with many command lines.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/lecture/build.h"
#include "common/lecture/json.h"
#include "common/lecture/program.h"
#include "common/lecture/width.h"

namespace napkin::lecture {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Runs the fake demo; `environment` is "NAME=value ...".
Ended demo(const Words& arguments, const Words& environment = {}) {
  Words words = {"env", "-u", "LC_ALL", "-u", "LANG", "-u", "LC_MESSAGES", "-u", "COLUMNS"};
  words.insert(words.end(), environment.begin(), environment.end());
  words.push_back(NAPKIN_FAKE);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words);
}

Ended shell(const std::string& line) { return run_program({"sh", "-c", line}); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Demos : public testing::Test {
 protected:
  fs::path folder =
      fs::path(NAPKIN_SCRATCH) / testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string json = folder / "out.json";
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  // What stands in the JSON under a name of "values".
  std::string values(const Words& arguments) {
    Words words = arguments;
    words.insert(words.end(), {"--json", json});
    const Ended ended = demo(words);
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
    const std::string text = contents(json);
    std::string packed;
    for (const char c : text.substr(text.find("\"values\"")))
      if (c != ' ' && c != '\n') packed += c;
    return packed;
  }
};

TEST_F(Demos, AFullRunHolds) {
  const Ended ended = demo({"--json", json});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "99  A demo for tests")) << ended.output;
  EXPECT_TRUE(has(ended.output, "[99.whole]"));
  EXPECT_TRUE(has(ended.output, "lecture 9007199254740993 B"));
  EXPECT_TRUE(has(ended.output, "here 9007199254740993 B"));
  EXPECT_TRUE(has(ended.output, "lecture 464 GB"));
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
    const Ended ended = demo({}, {"COLUMNS=" + std::to_string(columns)});
    std::istringstream lines(ended.output);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), std::min(columns, 96)) << line;
    EXPECT_FALSE(has(ended.output, "\033"));  // no colour: not a terminal
  }
}

TEST_F(Demos, AnOffClaimSaysWhatToDo) {
  const Ended ended = demo({"--json", json}, {"FAKE=digits"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(ended.output, "OFF"));
  EXPECT_TRUE(has(ended.output, "Is it GB or GiB?"));
  EXPECT_TRUE(has(ended.output, ", 1 off."));
  EXPECT_TRUE(has(contents(json), "\"verdict\": \"off\""));
  EXPECT_EQ(demo({}, {"FAKE=off"}).exit_code, 1);  // one bit past 2^53
}

TEST_F(Demos, QuietPrintsWhatIsOffAndTheLastLine) {
  const Ended fine = demo({"--quiet"});
  EXPECT_FALSE(has(fine.output, "[99.whole]"));
  EXPECT_TRUE(has(fine.output, "0 off."));
  const Ended off = demo({"--quiet"}, {"FAKE=digits"});
  EXPECT_TRUE(has(off.output, "[99.digits]"));
  EXPECT_FALSE(has(off.output, "[99.whole]"));
  EXPECT_FALSE(has(off.output, "Reals"));
}

TEST_F(Demos, FaultyReportsAreFailures) {
  const Ended unknown = demo({"--json", json}, {"FAKE=unknown"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(has(unknown.output, "99_fake: claims.json has no claim 99.nobody"));
  EXPECT_TRUE(has(contents(json), "99.nobody"));
  const Ended twice = demo({}, {"FAKE=twice"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_TRUE(has(twice.output, "99_fake: claim 99.list was reported twice"));
  const Ended missing = demo({}, {"FAKE=missing"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(has(missing.output, "99_fake: claim 99.yes was not reported"));
  EXPECT_TRUE(has(missing.output, ", 1 off."));
  const Ended skip = demo({}, {"FAKE=skip"});
  EXPECT_EQ(skip.exit_code, 2);
  EXPECT_TRUE(has(skip.output, "cannot be skipped"));
}

TEST_F(Demos, OtherInputsAreNotChecked) {
  for (const Words& words :
       {Words{"--rows", "4"}, {"--scale=0.25"}, {"--slow"}, {"--seed", "43"}}) {
    Words all = words;
    all.insert(all.end(), {"--json", json});
    const Ended ended = demo(all, {"FAKE=off"});
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
      demo({"--rows", "3", "--scale", "5e-1", "--slow=no", "--seed", "42", "--json", json});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(read_results(json).lecture_setting);
  EXPECT_TRUE(has(contents(json), "\"seed\": 42"));
}

TEST_F(Demos, OneSectionLeavesTheRestUnchecked) {
  const Ended ended = demo({"--section", "1.2", "--json", json});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "3 claims hold, 6 not checked, 0 off."));
  EXPECT_FALSE(has(ended.output, "[99.whole]"));
  EXPECT_EQ(read_results(json).claims.size(), 9u);
  EXPECT_TRUE(has(demo({"--section", "1"}).output, "6 claims hold"));
  EXPECT_EQ(demo({"--section", "1.1"}, {"FAKE=off"}).exit_code, 1);
  const Ended unknown = demo({"--section", "3", "--plot", folder / "plots"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.output, "99_fake: --section 3: there is no such section, but 1.1, 1.2, 2.1\n");
  EXPECT_FALSE(fs::exists(folder / "plots"));
}

TEST_F(Demos, ListNamesTheSections) {
  const Ended ended = demo({"--list"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output, "1.1    Whole numbers\n1.2    Reals\n2.1    Time\n");
}

TEST_F(Demos, AGpuIsUsedWhereThereIsOne) {
  const Ended with = demo({}, {"FAKE=gpu here"});
  EXPECT_EQ(with.exit_code, 0);
  EXPECT_TRUE(has(with.output, "a GPU\n"));
  EXPECT_FALSE(has(with.output, "skipped"));
  const Ended forbidden = demo({"--device", "cpu"}, {"FAKE=gpu here"});
  EXPECT_TRUE(has(forbidden.output, "skipped (--device cpu)"));
  EXPECT_EQ(demo({"--device", "cuda", "--json", json}, {"FAKE=gpu here"}).exit_code, 0);
  EXPECT_TRUE(has(contents(json), "\"device\": \"cuda\""));
}

TEST_F(Demos, TimingIsNotCheckedWhenItIsQuick) {
  const Ended ended = demo({"--quick"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(
      has(ended.output, "6 claims hold, 1 shown, 1 skipped (no GPU), 1 not checked, 0 off."));
}

TEST_F(Demos, SubcommandsWriteValues) {
  EXPECT_EQ(values({"shape", "--shape", "2,3,4"}),
            "\"values\":{\"shape\":[2,3,4],\"index\":[],\"index_given\":false,\"slices\":[],"
            "\"swaps\":0,\"text\":\"\",\"infinite\":\"-inf\"}}");
  EXPECT_TRUE(has(contents(json), "\"claims\": []"));
  EXPECT_FALSE(read_results(json).lecture_setting);
  EXPECT_TRUE(has(values({"--threads", "2", "shape", "--shape=-1,2", "--seed", "7"}), "[-1,2]"));
  EXPECT_TRUE(has(values({"shape", "--shape", "-1,2"}), "[-1,2]"));
  EXPECT_TRUE(has(values({"shape", "--shape", ""}), "\"shape\":[]"));
  EXPECT_TRUE(has(values({"shape", "--shape=", "--index", "-3"}),
                  "\"shape\":[],\"index\":[-3],\"index_given\":true"));
  EXPECT_TRUE(
      has(values({"shape", "--shape", "2", "--index="}), "\"index\":[],\"index_given\":true"));
  EXPECT_TRUE(has(values({"shape", "--shape", "9223372036854775807,-9223372036854775808"}),
                  "[9223372036854775807,-9223372036854775808]"));
  EXPECT_TRUE(has(values({"shape", "--shape", "2", "--slice", "0:4@1", "--slice", "1:2@0"}),
                  "[\"0:4@1\",\"1:2@0\"]"));
  EXPECT_TRUE(
      has(values({"shape", "--shape", "2", "--swap", "0,1", "--swap=1,2;0,2"}), "\"swaps\":3"));
  EXPECT_TRUE(has(values({"echo", "-5"}), "\"text\":\"-5\""));
  EXPECT_TRUE(has(values({"echo", "a word"}), "\"text\":\"aword\""));
}

TEST_F(Demos, WordsAfterTwoDashesAreNoFlags) {
  const Ended ended = demo({"--json", json, "echo", "--", "--shape"});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(contents(json), "\"text\": \"--shape\""));
}

struct Refusal {
  Words arguments;
  std::string sentence;
};

TEST_F(Demos, BadCommandLinesAreRefusedWithOneSentence) {
  const std::string absent = folder / "absent" / "out.json";
  const std::vector<Refusal> refusals = {
      {{"--threads", "0"}, "--threads 0: \"0\" is not a whole number from 1 to 1024"},
      {{"--threads", "1025"}, "--threads 1025: \"1025\" is not a whole number from 1 to 1024"},
      {{"--threads", "abc"}, "--threads abc: \"abc\" is not a whole number from 1 to 1024"},
      {{"--threads", "2x"}, "--threads 2x: \"2x\" is not a whole number from 1 to 1024"},
      {{"--threads="}, "--threads : \"\" is not a whole number from 1 to 1024"},
      {{"--threads"}, "--threads needs a value"},
      {{"--threads", "--quick"}, "--threads needs a value before --quick"},
      {{"--threads", "1", "--threads", "2"}, "--threads: given 2 times"},
      {{"--seed", "-1"}, "--seed -1: \"-1\" is not a whole number from 0 to 2^64 - 1"},
      {{"--seed", "18446744073709551616"},
       "--seed 18446744073709551616: \"18446744073709551616\" is not a whole number from 0 to 2^64 "
       "- 1"},
      {{"--lang", "fr"}, "--lang fr: en or zh"},
      {{"--device", "tpu"}, "--device tpu: cpu or cuda"},
      {{"--device", "cuda"}, "--device cuda: no GPU"},
      {{"--thread", "2"}, "unknown flag --thread: did you mean --threads?"},
      {{"--raws", "2"}, "unknown flag --raws: did you mean --rows?"},
      {{"--completely-wrong"}, "unknown flag --completely-wrong (--help lists those that exist)"},
      {{"--quick=3"}, "--quick=3: --quick takes no value"},
      {{"--rows", "1.5"}, "--rows 1.5: \"1.5\" is not a whole number of 64 bits"},
      {{"--rows", "1", "--rows", "2"}, "--rows: given 2 times"},
      {{"--scale", "1e999"}, "--scale 1e999: \"1e999\" is not a number that a double can hold"},
      {{"--slow=maybe"}, "--slow maybe: \"maybe\" is not yes or no"},
      {{"shap"}, "unknown subcommand \"shap\": did you mean shape?"},
      {{"elephant"}, "unknown subcommand \"elephant\": there is shape, echo"},
      {{"--shape", "2"}, "--shape belongs after a subcommand: shape"},
      {{"shape"}, "shape needs --shape: sizes"},
      {{"echo"}, "echo needs text: any text"},
      {{"echo", "a", "b"}, "echo does not take \"b\" (see 99_fake echo --help)"},
      {{"shape", "--rows", "2"}, "--rows is an input of the sections, not of shape"},
      {{"--rows", "2", "shape"}, "--rows is an input of the sections, not of shape"},
      {{"shape", "--shape", "2,x"}, "--shape 2,x: \"x\" is not a whole number of 64 bits"},
      {{"shape", "--shape", "2,,3"}, "--shape 2,,3: \"\" is not a whole number of 64 bits"},
      {{"shape", "--shape", "9223372036854775808"},
       "--shape 9223372036854775808: \"9223372036854775808\" is not a whole number of 64 bits"},
      {{"shape", "--shape", "2", "--text", "bad"}, "--text bad: anything else is allowed"},
      {{"shape", "--shape", "2", "--section", "1"}, "--section 1: shape has no sections"},
      {{"--json", absent},
       "--json " + absent + ": there is no folder " + (folder / "absent").string()},
      {{"--json", folder}, "--json " + folder.string() + ": is a folder"},
      {{"--json", ""}, "--json an empty file name"},
      {{"--json", "/proc/out.json"}, "--json /proc/out.json: No such file or directory"},
      {{"--plot", "/dev/null"}, "--plot /dev/null: Not a directory"},
      {{"--plot", ""}, "--plot an empty folder name"},
  };
  for (const auto& [arguments, sentence] : refusals) {
    const Ended ended = demo(arguments);
    EXPECT_EQ(ended.output, "99_fake: " + sentence + "\n");
    EXPECT_EQ(ended.exit_code, 2) << sentence;
  }
}

TEST_F(Demos, WhatASectionThrowsIsASentence) {
  const std::vector<std::pair<std::string, std::string>> thrown = {
      {"error", "shapes 2 and 3 do not match"},
      {"memory", "not enough memory"},
      {"exception", "something else"},
      {"number", "not a std::exception"}};
  for (const auto& [fake, sentence] : thrown) {
    const Ended ended = demo({"--json", json}, {"FAKE=" + fake});
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
  const Ended ended = demo({"--plot", folder / "new" / "plots"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(has(contents(folder / "new" / "plots" / "time.svg"), "<svg"));
  EXPECT_TRUE(has(ended.output, "picture: " + (folder / "new" / "plots" / "time.svg").string()));
}

TEST_F(Demos, HelpShowsTheDefaults) {
  const Ended ended = demo({"--help"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(has(ended.output, "--rows N")) << ended.output;
  EXPECT_TRUE(has(ended.output, "rows (default 3)"));
  EXPECT_TRUE(has(ended.output, "a factor (default 0.5)"));
  for (const char* flag : {"--section", "--list", "--device", "--threads", "--seed", "--json",
                           "--plot", "--lang", "--quick", "--quiet", "--help"})
    EXPECT_TRUE(has(ended.output, flag)) << flag;
  const Ended command = demo({"shape", "-h"});
  EXPECT_EQ(command.exit_code, 0);
  EXPECT_TRUE(has(command.output, "Usage: 99_fake shape --shape N,N,... [--index N,N,...]"));
  EXPECT_TRUE(has(command.output, "sizes (required)"));
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
  const Ended ended = demo({}, {"LANG=zh_CN.UTF-8", "NAPKIN_STRICT_TEXT=1"});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "0.5 的行，共 3 行"));  // the order of the values is another one
  EXPECT_TRUE(has(ended.output, "讲义 464 GB"));
  EXPECT_TRUE(has(ended.output, "7 项符合") || !timing_is_meaningful());
  EXPECT_FALSE(has(demo({"--lang", "en"}, {"LANG=zh_CN.UTF-8"}).output, "讲义"));
  EXPECT_TRUE(has(demo({"--lang", "zh"}).output, "讲义"));
  EXPECT_EQ(demo({"--threads", "0"}, {"LANG=zh_CN.UTF-8"}).output,
            "99_fake: --threads 0: \"0\" is not a whole number from 1 to 1024\n");
}

TEST_F(Demos, UntranslatedTextIsFound) {
  const Ended key = demo({"--lang", "zh"}, {"NAPKIN_STRICT_TEXT=1", "FAKE=unknown text"});
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_TRUE(has(key.output, "not in zh.json: Nobody translated me."));
  const Ended line = demo({"--lang", "zh"}, {"NAPKIN_STRICT_TEXT=1", "FAKE=english"});
  EXPECT_EQ(line.exit_code, 2);
  EXPECT_TRUE(has(line.output, "not in zh.json: this line was not translated"));
}

}  // namespace
}  // namespace napkin::lecture
