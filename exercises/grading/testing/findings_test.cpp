// What a learner reads of an assertion and of a sanitizer's report; builds/ has recorded ones.
#include "exercises/grading/findings.h"

#include "exercises/grading/testing/scratch.h"

namespace napkin::exercises {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Findings, AssertionsAreSaidInWords) {
  const std::string past = "an index past the end of a std::";
  const std::string expected[] = {past + "vector",
                                  past + "string",
                                  past + "array",
                                  past + "deque",
                                  past + "span",
                                  past + "string_view",
                                  "the first or last element of an empty std::vector",
                                  "the first or last element of an empty std::string",
                                  "the value of a std::optional that holds none"};
  for (const char* compiler : {"gcc", "clang"}) {
    const auto lines =
        lines_of(contents(std::string(NAPKIN_SOURCE "/exercises/grading/testing/builds/") +
                          "assertions_" + compiler + ".txt"));
    ASSERT_EQ(lines.size(), std::size(expected)) << compiler;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_TRUE(is_finding(lines[i])) << lines[i];
      EXPECT_EQ(assertion_text("before\n" + lines[i] + "\nafter\n"), expected[i]) << lines[i];
      EXPECT_TRUE(readable_line(lines[i]).ends_with("' failed.")) << lines[i];
    }
  }
  EXPECT_EQ(assertion_text(""), "");
  EXPECT_EQ(assertion_text("an index past the end\n"), "");
  EXPECT_EQ(assertion_text("/usr/include/c++/12/bits/stl_vector.h:1: Assertion '"), "");
  EXPECT_EQ(assertion_text("/usr/include/c++/12/bits/stl_tree.h:1: Assertion '!this->empty()'"),
            "");
}

TEST(Findings, TheAnswersLineIsFoundInAReport) {
  const std::string mine = "my/99_frame/twice.h", place = "/home/learner/" + mine + ":5:10";
  const std::string report =
      "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602\n"
      "    #0 0x5 in operator[] /usr/include/c++/12/bits/stl_vector.h:1123\n"
      "    #1 0x5 in my::twice(int) " +
      place + "\n    #2 0x6 in f /x/" + mine + ":9:1\n";
  EXPECT_EQ(line_of("printed /" + mine + ":1\n" + report, mine), mine + ":5:10");
  EXPECT_EQ(line_of(place + ": runtime error: division by zero\n", mine), mine + ":5:10");
  EXPECT_EQ(line_of(place + "\n", mine), "");  // no finding, but the answer's own words
  EXPECT_EQ(line_of(report, "my/99_frame/half.h"), "");
  EXPECT_EQ(line_of("", mine), "");
}

TEST(Findings, OfAnAssertionTheReportOfTheAbortIsLeftOut) {
  std::vector<std::string> lines = {"mine", "x: Assertion 'y' failed.",
                                    "AddressSanitizer:DEADLYSIGNAL", "==1==ERROR: ..."};
  leave_out_abort(lines);
  EXPECT_EQ(lines.size(), 2u);
  lines = {"AddressSanitizer:DEADLYSIGNAL", "==1==ERROR: AddressSanitizer: SEGV"};
  leave_out_abort(lines);
  EXPECT_EQ(lines.size(), 2u);
}

TEST(Findings, LongLinesAreCut) {
  EXPECT_EQ(readable_line("short"), "short");
  const std::string cut = readable_line(std::string(5000, 'x'));
  EXPECT_TRUE(cut.ends_with("x ...") && cut.size() < 210) << cut;
}

}  // namespace
}  // namespace napkin::exercises
