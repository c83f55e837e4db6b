// What a learner reads of a build's output; builds/ has recorded ones.
#include "exercises/grading/compile.h"
#include "exercises/grading/testing/scratch.h"

namespace napkin::exercises {
namespace {

const std::string root = "/home/learner/napkin";

std::vector<std::string> of(const std::string& record) {
  const std::string text =
      contents(std::string(NAPKIN_SOURCE "/exercises/grading/testing/builds/") + record + ".txt");
  EXPECT_FALSE(text.empty()) << record;
  return first_messages(text, root);
}

TEST(Messages, TheFirstErrorComesFirst) {
  for (const char* record : {"gcc_ninja", "gcc_make"}) {
    const auto lines = of(record);
    ASSERT_EQ(lines.size(), 8u) << record;
    EXPECT_EQ(lines[0], "my/a.h:3:14: error: ‘m’ was not declared in this scope");
    EXPECT_EQ(lines[1], "    3 |   return 2 * m");
  }
  EXPECT_EQ(of("clang_ninja").at(0), "my/a.h:3:14: error: use of undeclared identifier 'm'");
  EXPECT_EQ(of("missing_clang_ninja").at(0),
            "my/c.h:1:10: fatal error: 'nowhere.h' file not found");
}

TEST(Messages, SoDoesALinkersFault) {
  for (const char* record : {"undefined_ninja", "undefined_make"})
    EXPECT_TRUE(has(of(record).at(0), "undefined reference to `helper(int)'")) << record;
}

TEST(Messages, NothingOfTheBuildProgramIsShown) {
  for (const char* record : {"gcc_ninja", "gcc_make", "undefined_ninja", "undefined_make",
                             "clang_ninja", "missing_clang_ninja"})
    for (const std::string& line : of(record))
      for (const char* word : {"ninja", "make", "FAILED", "/home/", "[1/2]"})
        EXPECT_FALSE(has(line, word)) << record << ": " << line;
}

TEST(Messages, InAnyLanguageThereIsSomething) {
  EXPECT_EQ(first_messages("x.h:1:1: 错误：‘m’在此作用域中尚未声明\n", root).size(), 1u);
  const auto last =
      first_messages("[1/2] x\n1\n2\n3\n4\n5\n6\n7\n8\nx.h:1:1: Fehler: hier\n", root);
  ASSERT_EQ(last.size(), 8u);
  EXPECT_EQ(last.back(), "x.h:1:1: Fehler: hier");
  EXPECT_TRUE(first_messages("", root).empty());
  EXPECT_TRUE(first_messages("[1/2] x\nninja: build stopped\n", root).empty());
}

TEST(Messages, LongLinesAreCutNotDropped) {
  std::string text = "a.h:1:1: error: ";
  while (text.size() < 5000) text += "数";
  const auto lines = first_messages(text + "\n", root);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("a.h:1:1: error: 数"));
  EXPECT_TRUE(lines[0].ends_with("数 ..."));
  EXPECT_LE(lines[0].size(), 410u);
}

}  // namespace
}  // namespace napkin::exercises
