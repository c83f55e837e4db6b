// What a learner reads of answers that do not compile, do not end, crash or print.
#include <algorithm>
#include <tuple>

#include "exercises/grading/testing/grader.h"

namespace napkin::exercises {
namespace {

// Without side effects: the language lets a compiler take such loops for ones that end.
TEST_F(Grader, ALoopWithoutEndIsNoPass) {
  put(mine("twice"), answer("int twice(int n)", "  while (true) {}\n  return 2 * n;"));
  put(mine("square"), answer("int square(int n)",
                             "  for (int i = -1; i < n * n;) {\n    i = i + 1;\n    i = i - 1;\n"
                             "  }\n  return n * n;"));
  const Ended ended = grader({"grade"});
  EXPECT_TRUE(has(ended.output, "twice                     TIMED OUT")) << ended.output;
  EXPECT_TRUE(has(ended.output, "square                    TIMED OUT")) << ended.output;
}

TEST_F(Grader, CompilersFaultsAreShownWhateverTheirLength) {
  put(mine("twice"), "#include \"nowhere.h\"\n");
  put(mine("thrice"), "");
  put(mine("half"), "int main() { return 0; }\n" + solution("half"));
  std::string long_story = "#error at first\n";
  for (int i = 0; i < 2000; ++i) long_story += "#warning and then, and then, and then\n";
  put(mine("square"), long_story);
  const Ended ended = grader({"grade"});
  EXPECT_EQ(ended.exit_code, 1) << ended.output;
  EXPECT_TRUE(has(ended.output, "my/99_frame/twice.h:1:10: fatal error:")) << ended.output;
  EXPECT_TRUE(has(ended.output, "thrice                    DOES NOT COMPILE")) << ended.output;
  EXPECT_TRUE(has(ended.output, "half                      DOES NOT COMPILE")) << ended.output;
  EXPECT_TRUE(has(flat(ended.output), "my/99_frame/half.h defines main")) << ended.output;
  EXPECT_TRUE(has(ended.output, "square                    DOES NOT COMPILE")) << ended.output;
  EXPECT_TRUE(has(ended.output, "my/99_frame/square.h:1:2: error:")) << ended.output;
  EXPECT_TRUE(has(ended.output, "0 of 4 done")) << ended.output;
}

TEST_F(Grader, WhatTheChecksMissIsSaidInASentence) {
  put(mine("twice"), "int other = 2;\n");
  put(mine("thrice"), "int x");
  std::string open = answer("double half(double x)", "  return x / 2;");
  open.resize(open.rfind('}'));
  put(mine("half"), open);
  put(mine("square"),
      "#include <vector>\n" + answer("int square(int n)", "  return std::vector<int&>().size();"));
  for (const auto& [name, reason] :
       {std::tuple{"twice",
                   "my/99_frame/twice.h does not define what the checks call (see "
                   "exercises/99_frame/twice.h)."},
        {"half", "my/99_frame/half.h: the { of line 2 is never closed."}}) {
    const Ended ended = grader({"grade", name});
    EXPECT_TRUE(has(flat(ended.output), "DOES NOT COMPILE reason " + std::string(reason)))
        << ended.output;
    EXPECT_TRUE(has(ended.output, "file          my/99_frame/" + std::string(name) + ".h"));
    EXPECT_LE(std::count(ended.output.begin(), ended.output.end(), '\n'), 14) << ended.output;
  }
  const Ended middle = grader({"grade", "thrice"});
  EXPECT_TRUE(has(middle.output, "my/99_frame/thrice.h ends in the middle of something") ||
              has(middle.output, "compiler      my/99_frame/thrice.h:1:6: error:"))  // clang
      << middle.output;
  const Ended header = grader({"grade", "square"});  // an error in a header, for the answer's sake
  EXPECT_FALSE(has(header.output, "reason")) << header.output;
  EXPECT_TRUE(has(header.output, "compiler      my/99_frame/square.h:5:")) << header.output;
}

// What is wrong with the learner's own file comes first, and no compiler is asked where there is
// nothing to compile.
TEST_F(Grader, TextsThatAreNoCodeAreCalledSo) {
  std::string wide = "\xff\xfe";
  for (const char c : solution("twice")) (wide += c) += '\0';
  put(mine("twice"), wide);
  put(mine("thrice"), "\n \n");
  const Ended ended = grader({"grade"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(flat(ended.output), "reason my/99_frame/twice.h is saved as UTF-16"))
      << ended.output;
  EXPECT_TRUE(has(flat(ended.output), "reason my/99_frame/thrice.h is empty")) << ended.output;
  EXPECT_FALSE(has(ended.output, "compiler")) << ended.output;
  EXPECT_TRUE(has(ended.output, "Next: my/99_frame/")) << ended.output;
  const Ended chinese = grader({"grade", "--lang", "zh"}, {"NAPKIN_STRICT_TEXT=1"});
  EXPECT_EQ(chinese.exit_code, 1) << chinese.output;
}

TEST_F(Grader, AfterAllWereTriedTheFirstThatIsWrongIsNext) {
  for (const char* name : {"twice", "thrice", "half", "square"}) put(mine(name), solution(name));
  put(mine("half"), answer("double half(double x)", "  return x;"));
  const Ended ended = grader({"grade"});
  EXPECT_TRUE(has(flat(ended.output), "Next: my/99_frame/half.h")) << ended.output;
  EXPECT_TRUE(has(flat(ended.output), "./lecture hint half helps")) << ended.output;
}

TEST_F(Grader, SanitizersSayOfADivisionByZeroWhatIsSaidWithoutThem) {
  put(mine("twice"), answer("int twice(int n)", "  return 2 * n / (n - n);"));
  for (const Words& words : {Words{"grade", "twice"}, Words{"grade", "twice", "--sanitize"}}) {
    const Ended ended = grader(words);
    EXPECT_TRUE(has(ended.output, "reason        an integer was divided by zero")) << ended.output;
  }
}

TEST_F(Grader, SanitizersFindWhatWouldPass) {
  put(mine("twice"), answer("int twice(int n)",
                            "  int* few = new int[3];\n  few[3] = 2 * n;\n  n = few[3];\n"
                            "  delete[] few;\n  return n;"));
  const Ended ended = grader({"grade", "twice", "--sanitize"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(has(ended.output, "CRASHED")) << ended.output;
  EXPECT_TRUE(has(ended.output, "line          my/99_frame/twice.h:5:")) << ended.output;
}

std::string past_the_end(const std::string& head) {
  return "#include <vector>\n" + answer(head,
                                        "  std::vector<int> few(3);\n"
                                        "  return few[static_cast<std::size_t>(n + 3)];");
}

TEST_F(Grader, AnIndexPastTheEndIsCalledSo) {
  put(mine("twice"), past_the_end("int twice(int n)"));
  const Ended ended = grader({"grade", "twice"});
  EXPECT_TRUE(has(ended.output, "reason        an index past the end of a std::vector\n"))
      << ended.output;
  EXPECT_TRUE(has(ended.output, "... Assertion '__n < this->size()' failed.")) << ended.output;
  const Ended found =
      grader({"grade", "twice", "--sanitize", "--lang", "zh"}, {"NAPKIN_STRICT_TEXT=1"});
  EXPECT_EQ(found.exit_code, 1) << found.output;
  EXPECT_TRUE(has(found.output, "下标越过了 std::vector 的末尾\n")) << found.output;
#ifndef __clang__  // its sanitizer would need a process of its own to tell lines
  EXPECT_TRUE(has(found.output, "my/99_frame/twice.h:6")) << found.output;
#endif
}

// Of four calls the second and the last are wrong.
TEST_F(Grader, WhatTheShownCallPrintedIsShown) {
  put(mine("twice"),
      "#include <iostream>\n" +
          answer("int twice(int n)", "  std::cout << \"got \" << n;\n  return n == 3 ? 6 : 0;"));
  const std::string output = grader({"grade", "twice"}).output;
  EXPECT_TRUE(has(output, "FAILED  2 of 4")) << output;
  EXPECT_TRUE(has(output, "it printed    got -7\n")) << output;
}

}  // namespace
}  // namespace napkin::exercises
