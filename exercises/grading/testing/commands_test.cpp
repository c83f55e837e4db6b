// The grader as a learner meets it, on a lesson of its own and with the compiler of this build.
#include <chrono>
#include <csignal>
#include <thread>
#include <tuple>

#include "exercises/grading/testing/grader.h"

namespace napkin::exercises {
namespace {

TEST_F(Grader, UntouchedNothingHasFailed) {
  const Ended ended = grader({"grade"});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_TRUE(has(ended.output, "0 of 4 done")) << ended.output;
  EXPECT_TRUE(has(ended.output, "Next: my/99_frame/twice.h (Twice a number)")) << ended.output;
  EXPECT_EQ(contents(mine("half")), contents(places.exercises + "/99_frame/half.h"));
  EXPECT_EQ(grader({"compile", "twice"}).exit_code, 0);  // the ctest lines
  EXPECT_EQ(grader({"check", "twice"}).exit_code, 77);
}

TEST_F(Grader, EachAnswerHasItsOwnEnding) {
  put(mine("twice"), solution("twice"));
  put(mine("thrice"), contents(places.exercises + "/mistakes/99_frame/thrice/twice_only.h"));
  put(mine("half"), answer("double half(double x)", "  return x +;"));
  put(mine("square"),
      answer("int square(int n)", "  for (volatile unsigned i = 0;; i = i + 1) {}"));
  const Ended ended = grader({"grade"});
  EXPECT_EQ(ended.exit_code, 1) << ended.output;
  for (const char* line :
       {"twice                     passed  4 checks", "thrice                    FAILED  1 of 4",
        "hint          That is twice the number.", "half                      DOES NOT COMPILE",
        "compiler      my/99_frame/half.h:4:13: error:", "square                    TIMED OUT",
        "1 of 4 done"})
    EXPECT_TRUE(has(ended.output, line)) << line << "\n" << ended.output;
  for (const auto& [name, compiles, checks] :
       {std::tuple{"twice", 0, 0}, {"thrice", 0, 1}, {"half", 1, 2}}) {
    EXPECT_EQ(grader({"compile", name}).exit_code, compiles) << name;
    EXPECT_EQ(grader({"check", name}).exit_code, checks) << name;
  }
}

TEST_F(Grader, AFailureCountsWhoeverReads) {
  for (const char* name : {"twice", "thrice", "half"}) put(mine(name), "#error broken\n");
  // The shell's own pipe takes the status of the last; it is written down instead.
  const std::string status = places.answers + "/status";
  const std::string grade = "{ '" + graders_name + "' grade; echo $? >'" + status + "'; } | true";
  EXPECT_EQ(shell(grade).exit_code, 0);
  EXPECT_EQ(contents(status), "1\n");
}

TEST_F(Grader, AnOldProgramIsNeverRun) {
  put(mine("twice"), answer("int twice(int n)", "  return n;"));
  EXPECT_EQ(grader({"grade", "twice"}).exit_code, 1);
  put(mine("twice"), solution("twice"));
  fs::last_write_time(mine("twice"), fs::file_time_type::clock::now() - std::chrono::hours(10000));
  const Ended copied = grader({"grade", "twice"});  // as cp -p would leave it
  EXPECT_EQ(copied.exit_code, 0) << copied.output;
  put(mine("twice"), solution("twice") + "#error broken\n");
  EXPECT_EQ(grader({"check", "twice"}).exit_code, 2);  // not compiled since
  const Ended broken = grader({"grade", "twice"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_TRUE(has(broken.output, "#error broken")) << broken.output;
  EXPECT_FALSE(has(broken.output, "passed"));
  EXPECT_FALSE(fs::exists(places.notes("exercise_99_twice")));
}

TEST_F(Grader, AnInterruptedBuildLeavesNoOldProgram) {
  put(mine("twice"), solution("twice"));
  ASSERT_EQ(grader({"compile", "twice"}).exit_code, 0);
  const std::string wrong = answer("int twice(int n)", "  return n;");
  put(mine("twice"), wrong);
  Background compiling({"compile", "twice"});
  EXPECT_TRUE(soon([&] { return contents(places.notes("exercise_99_twice.stamp")) == wrong; }));
  compiling.end(SIGKILL);
  const int code = grader({"check", "twice"}).exit_code;
  EXPECT_TRUE(code == 2 || code == 1) << code;  // not built, or by what was left of the build
  EXPECT_EQ(grader({"grade", "twice"}).exit_code, 1);
}

TEST_F(Grader, AnAnswerThatIsNoFileLeavesTheOthersAlone) {
  fs::create_directories(mine("twice"));
  put(mine("half"), solution("half"));
  const Ended ended = grader({"grade"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(flat(ended.output), "is a folder, not a file")) << ended.output;
  EXPECT_TRUE(has(ended.output, "1 of 4 done")) << ended.output;
}

TEST_F(Grader, HintsComeOneByOneTheSolutionAfterAPass) {
  const Ended first = grader({"hint", "twice"});
  EXPECT_FALSE(has(first.output, "2. "));
  EXPECT_TRUE(first.output.ends_with(": ./lecture hint twice\n")) << first.output;
  const Ended again = grader({"hint", "twice"});
  EXPECT_TRUE(has(again.output, "1. Begin with twice(1).")) << again.output;
  EXPECT_TRUE(has(again.output, "2. One operation")) << again.output;
  const Ended early = grader({"solution", "twice"});
  EXPECT_EQ(early.exit_code, 1);
  EXPECT_FALSE(has(early.output, "2 * n")) << early.output;
  const Ended anyway = grader({"solution", "twice", "--anyway"});
  EXPECT_EQ(anyway.exit_code, 0);
  EXPECT_TRUE(has(anyway.output, "return 2 * n;")) << anyway.output;
  put(mine("twice"), answer("int twice(int n)", "  return n + n;"));
  const Ended passed = grader({"solution", "twice"});
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_TRUE(has(passed.output, "return 2 * n;")) << passed.output;
  const Ended reset = grader({"reset", "twice"});
  EXPECT_TRUE(has(flat(reset.output), "your text is kept in my/kept/99_frame/twice."))
      << reset.output;
  EXPECT_FALSE(has(grader({"hint", "twice"}).output, "2. "));  // from the beginning
}

TEST_F(Grader, InChineseNothingIsLeftInEnglish) {
  put(mine("twice"), "namespace my {\n");
  put(mine("thrice"), answer("int thrice(int n)", "  throw n;"));
  put(mine("half"), "int main() { return 0; }\n" + solution("half"));
  put(mine("square"), "");
  for (const Words& words : std::vector<Words>{{"grade"},
                                               {"grade", "--help"},
                                               {"hint", "twice"},
                                               {"hint", "twice"},
                                               {"solution", "twice"},
                                               {"solution", "twice", "--anyway"},
                                               {"reset", "twice"},
                                               {"reset", "thrice"}}) {
    Words all = words;
    all.insert(all.end(), {"--lang", "zh"});
    const Ended ended = grader(all, {"NAPKIN_STRICT_TEXT=1"});
    EXPECT_NE(ended.exit_code, 2) << words[0] << ": " << ended.output;
    EXPECT_FALSE(has(ended.output, "not in zh.json")) << ended.output;
  }
}

TEST_F(Grader, WrongWordsAreRefused) {
  for (const Words& words : std::vector<Words>{{"grade", "twise"},
                                               {"grade", "98"},
                                               {"grade", ""},
                                               {"grade", "twice", "half"},
                                               {"grade", "--wach"},
                                               {"grade", "--lang", "fr"},
                                               {"grade", "--lang"},
                                               {"hint"},
                                               {"hint", "99"},
                                               {"hint", "twice", "--anyway"},
                                               {"solve", "twice"},
                                               {"reset"}}) {
    const Ended ended = grader(words);
    EXPECT_EQ(ended.exit_code, 2) << words[0] << ": " << ended.output;
    EXPECT_TRUE(ended.output.starts_with("exercises: ")) << ended.output;
  }
  EXPECT_TRUE(has(grader({"grade", "twise"}).output, "did you mean twice?"));
  EXPECT_TRUE(has(grader({"grade", "--nope"}).output, "there are --lang, --sanitize and --watch"));
  EXPECT_TRUE(has(grader({"reset", "twice", "--nope"}).output, "; there is --lang"));
  EXPECT_EQ(grader({"grade", "--help"}).exit_code, 0);
}

TEST_F(Grader, WatchingGradesWhatIsSaved) {
  Background watching({"grade", "--watch"});
  ASSERT_TRUE(soon([&] { return has(watching.output(), "Watching my/"); })) << watching.output();
  const auto count = [&](const std::string& part) {
    int times = 0;
    const std::string all = watching.output();
    for (std::size_t at = 0; (at = all.find(part, at)) != std::string::npos; ++at) ++times;
    return times;
  };
  put(mine("twice"), solution("twice"));
  EXPECT_TRUE(soon([&] { return count("1 of 4 done") == 1; })) << watching.output();
  EXPECT_EQ(count("passed  4 checks"), 1) << watching.output();
  fs::remove(mine("twice"));
  EXPECT_TRUE(soon([&] { return count("my/99_frame/twice.h is gone") == 1; })) << watching.output();
  put(mine("new"), "#error half\n");  // replaced, as editors do
  fs::rename(mine("new"), mine("twice"));
  EXPECT_TRUE(soon([&] { return count("twice.h:1:2: error:") == 1; })) << watching.output();
  EXPECT_TRUE(soon([&] { return count("0 of 4 done") == 2; })) << watching.output();
  fs::remove(mine("twice"));
  fs::create_directories(mine("twice"));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  fs::remove(mine("twice"));
  put(mine("twice"), solution("twice") + "// restored\n");
  EXPECT_TRUE(soon([&] { return count("passed  4 checks") == 2; })) << watching.output();
  EXPECT_TRUE(watching.runs());
  EXPECT_EQ(watching.end(SIGINT), SIGINT);
}

TEST_F(Grader, AnInterruptLeavesNoProcess) {
  put(mine("square"), "#include <unistd.h>\n" + answer("int square(int n)", "  for (;;) pause();"));
  ASSERT_EQ(grader({"compile", "square"}).exit_code, 0);
  const std::string program = places.notes("exercise_99_square");
  const auto running = [&] { return shell("pgrep -f '^" + program + "$'").exit_code == 0; };
  Background grading({"grade", "square"});
  EXPECT_TRUE(soon(running));
  EXPECT_EQ(grading.end(SIGINT), SIGINT);
  EXPECT_TRUE(soon([&] { return !running(); }));
}

TEST_F(Grader, TwoAtOnceAgree) {
  put(mine("thrice"), solution("thrice"));
  put(mine("half"), answer("double half(double x)", "  return x"));
  Background other({"grade"});
  const Ended ended = grader({"grade"});
  EXPECT_TRUE(has(ended.output, "1 of 4 done")) << ended.output;
  EXPECT_TRUE(has(ended.output, "DOES NOT COMPILE")) << ended.output;
  EXPECT_TRUE(soon([&] { return has(other.output(), "1 of 4 done"); })) << other.output();
  EXPECT_TRUE(has(other.output(), "DOES NOT COMPILE")) << other.output();
}

TEST_F(Grader, OutputThatGoesNowhereIsTold) {
  put(mine("twice"), "#include <cstdio>\n" +
                         answer("int twice(int n)", "  std::fputs(\"n\", stderr);\n  return n;"));
  const std::string grade = "'" + graders_name + "' grade";
  EXPECT_EQ(shell(grade + " >/dev/full").exit_code, 2);
  EXPECT_TRUE(has(shell(grade + " 2>&1 >/dev/full").output, "No space left"));
  EXPECT_EQ(shell(grade + " >&-").exit_code, 2);
  EXPECT_EQ(shell(grade + " <&- >&- 2>&-").exit_code, 2);
  const Ended ended = shell(grade + " <&- 2>&-");
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(ended.output, "FAILED  1 of 4 checks")) << ended.output;
  EXPECT_TRUE(has(ended.output, "it printed    n\n")) << ended.output;
}

TEST_F(Grader, AFolderThatCannotBeWrittenIsRefused) {
  put(places.answers + "/my", "a file where the folder would be");
  const Ended ended = grader({"grade"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_TRUE(has(ended.output, "my/99_frame: the folder cannot be made")) << ended.output;
}

}  // namespace
}  // namespace napkin::exercises
