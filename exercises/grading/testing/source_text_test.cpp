// Texts of answers that are no code, or end in the middle of something.
#include "exercises/grading/source_text.h"

#include <gtest/gtest.h>

namespace napkin::exercises {
namespace {

std::string fault(std::string_view text) { return what_is_unfinished(text, "my/x.h"); }

TEST(SourceText, WhatIsLeftOpenIsNamedWithItsLine) {
  EXPECT_EQ(fault("int f() {\n  return 1;\n"), "my/x.h: the { of line 1 is never closed.");
  EXPECT_EQ(fault("int f() {\n  return (1 + 2;\n}\n"),
            "my/x.h: the } of line 3 comes before the ( of line 2 is closed.");
  EXPECT_EQ(fault("int f() {}\n}\n"), "my/x.h: the } of line 2 closes nothing.");
  EXPECT_EQ(fault("\n/* a\n*\n"), "my/x.h: the comment that begins in line 2 is never closed.");
  EXPECT_EQ(fault("auto s = \"abc;\n"), "my/x.h: the \" of line 1 is never closed.");
  EXPECT_EQ(fault("\n#if 1\nint x;\n"), "my/x.h: the #if of line 2 has no #endif.");
  EXPECT_EQ(fault("# ifdef A\n#ifndef B\n#endif\n"), "my/x.h: the #if of line 1 has no #endif.");
}

TEST(SourceText, WholeTextsHaveNoFault) {
  for (const char* text :
       {"", "int f() { return a[1] + (2); }", "// it's { open\nint x;", "/* ( */ int x;",
        "auto s = \"{\\\"(\";", "char c = '{', d = '\\'';", "int n = 1'000'000;", "#if 1\n#endif\n",
        "/*\n{\n*/\n", "int x; // {", "auto s = R\"(a \" { ()\";"})
    EXPECT_EQ(fault(text), "") << text;
}

TEST(SourceText, LinesAreCountedThroughComments) {
  EXPECT_EQ(fault("/* 1\n2\n3 */\n(\n"), "my/x.h: the ( of line 4 is never closed.");
  EXPECT_EQ(fault("auto s = R\"x(\n)\n)x\";\n{"), "my/x.h: the { of line 4 is never closed.");
  fault("R\"");  // ends
  EXPECT_EQ(fault("// 1\n{\n"), "my/x.h: the { of line 2 is never closed.");
}

TEST(SourceText, OtherEncodingsAndNothingAreSeen) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(is_utf16("\xff\xfe/\0/\0"sv));
  EXPECT_TRUE(is_utf16("\xfe\xff\0/\0/"sv));
  EXPECT_TRUE(is_utf16("/\0/\0"sv));
  EXPECT_FALSE(is_utf16("// caf\xe9"));  // Latin-1: a compiler takes it in a comment
  EXPECT_FALSE(is_utf16("\xef\xbb\xbf// UTF-8 with a mark"));
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank("\xef\xbb\xbf\r\n\t "));
  EXPECT_FALSE(is_blank("x"));
}

}  // namespace
}  // namespace napkin::exercises
