#include "common/lecture/page/table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/core/error.h"

namespace napkin::lecture {
namespace {

using Lines = std::vector<std::string>;

TEST(Width, ChineseIsTwoColumnsWide) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("张量"), 4);
  EXPECT_EQ(display_width("（a，b）。"), 10);  // fullwidth punctuation
  EXPECT_EQ(display_width("ｆ"), 2);
  EXPECT_EQ(display_width("한글かな"), 8);
  EXPECT_EQ(display_width("𠀀"), 2);
}

TEST(Width, OtherCharactersAreOneOrNone) {
  EXPECT_EQ(display_width("┌─│"), 3);
  EXPECT_EQ(display_width("é×µ"), 3);
  EXPECT_EQ(display_width("e\xCC\x81"), 1);  // combining accent
  EXPECT_EQ(display_width("\033[1;31mOFF\033[0m"), 3);
  EXPECT_EQ(display_width("\xFF\x80z"), 3);  // not UTF-8
  EXPECT_EQ(display_width("\xE5\xBC"), 2);   // cut off in the middle
}

TEST(Width, PaddingCountsColumns) {
  EXPECT_EQ(pad("张", 4), "张  ");
  EXPECT_EQ(pad("张", 4, Align::right), "  张");
  EXPECT_EQ(pad("abcdef", 4), "abcdef");
}

TEST(Width, LinesBreakAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 7, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(wrapped("unbreakable", 4), (Lines{"unbreakable"}));
  EXPECT_EQ(wrapped("a\n\n  b", 9), (Lines{"a", "", "  b"}));
  EXPECT_EQ(wrapped("dimension 2, (h d), has", 16), (Lines{"dimension 2,", "(h d), has"}));
  EXPECT_EQ(wrapped("a (p1 p2 c)d e", 6), (Lines{"a", "(p1 p2 c)d", "e"}));
  EXPECT_EQ(wrapped("a (these are many words)", 9), (Lines{"a (these", "are many", "words)"}));
  EXPECT_EQ(wrapped("a (never closed", 9), (Lines{"a (never", "closed"}));
  EXPECT_EQ(wrapped("", 9), (Lines{""}));
}

TEST(Width, ChineseBreaksBetweenCharactersButNotBeforePunctuation) {
  EXPECT_EQ(wrapped("一二三四五", 6), (Lines{"一二三", "四五"}));
  EXPECT_EQ(wrapped("一二三，四五", 6), (Lines{"一二", "三，四", "五"}));
  EXPECT_EQ(wrapped("各层的张量都在此处，其余的分配", 24),
            (Lines{"各层的张量都在此处，", "其余的分配"}));
  EXPECT_EQ(wrapped("一二（三四", 6), (Lines{"一二", "（三四"}));
  EXPECT_EQ(wrapped("步长 stride 是", 9), (Lines{"步长", "stride 是"}));
}

Table sample() {
  Table table({{"tensor"}, {"bytes", Align::decimal}, {"count", Align::right}});
  table.row({"矩阵", "2.42 GB", "1"});
  table.row({"all", "463.86 GB", "192"});
  table.row({"none", "0 B", "-"});
  return table;
}

TEST(Table, ColumnsAreAlignedByWidthAndDecimalPoint) {
  EXPECT_EQ(sample().lines(92), (Lines{
                                    "tensor       bytes   count",
                                    "矩阵       2.42 GB       1",
                                    "all      463.86 GB     192",
                                    "none       0 B           -",
                                }));
}

TEST(Table, NumbersWithPowersAndSignsKeepTheirPoint) {
  Table table({{"x", Align::decimal}});
  for (const char* cell : {"1.3e5", "-12", "1,234.5", "inf", ""}) table.row({cell});
  EXPECT_EQ(table.lines(92), (Lines{"        x", "    1.3e5", "  -12", "1,234.5", "  inf", ""}));
}

TEST(Table, NarrowPagesWrapTextsAndThenPartTheTable) {
  Table table({{"operation"}, {"what it does"}, {"bytes moved", Align::right}});
  table.row({"x.t()", "the same cells in another order", "0"});
  table.row({"x.t().contiguous()", "a copy", "96"});
  for (const int width : {92, 60, 50, 40, 30}) {
    for (const std::string& line : table.lines(width))
      EXPECT_LE(display_width(line), width) << line;
  }
  EXPECT_EQ(table.lines(92).size(), 3u);
  const Lines narrow = table.lines(30);
  EXPECT_NE(std::find(narrow.begin(), narrow.end(), ""), narrow.end());  // two tables
}

TEST(Table, AnEmptyTableHasItsTitles) {
  EXPECT_EQ(Table({{"a"}, {"b"}}).lines(92), (Lines{"a   b"}));
  EXPECT_EQ(Table({}).lines(92), Lines{});
}

TEST(Table, ARowWithoutACellForEachColumnIsRefused) {
  Table table({{"a"}, {"b"}});
  EXPECT_THROW(table.row({"1"}), Error);
}

}  // namespace
}  // namespace napkin::lecture
