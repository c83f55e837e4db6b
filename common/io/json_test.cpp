#include "common/io/json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/io/testing/temporary_folder.h"  // refusal

namespace napkin::io {
namespace {

std::string string_in(std::string_view text) { return JsonReader(text).string(); }

// Reads {"name": [numbers], ...} and nothing else.
std::string numbers_in(std::string_view text) {
  std::string result;
  JsonReader json(text);
  json.object([&](const std::string& name) {
    result += name + ":";
    json.array([&] { result += std::to_string(json.natural()) + ","; });
  });
  json.end();
  return result;
}

TEST(JsonReader, ObjectsArraysAndNumbersAreWalkedThrough) {
  EXPECT_EQ(numbers_in(R"({"a":[1,20],"b":[]})"), "a:1,20,b:");
  EXPECT_EQ(numbers_in(" {\t\"a\" :\n[ 0 ,\r9223372036854775807 ] } \n"),
            "a:0,9223372036854775807,");
  EXPECT_EQ(numbers_in("{}"), "");
}

TEST(JsonReader, EverythingElseIsRefused) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "[]",
                           "{}x",
                           "{}{}",
                           "{\"a\":[1]",
                           "{\"a\":[1,]}",
                           "{\"a\":[,1]}",
                           "{\"a\":[1],}",
                           "{\"a\":[1] \"b\":[]}",
                           "{\"a\" [1]}",
                           "{a:[1]}",
                           "{'a':[1]}",
                           "{1:[1]}",
                           "{\"a\":1}",
                           "{\"a\":[01]}",
                           "{\"a\":[00]}",
                           "{\"a\":[-1]}",
                           "{\"a\":[+1]}",
                           "{\"a\":[1.0]}",
                           "{\"a\":[1e3]}",
                           "{\"a\":[0x1]}",
                           "{\"a\":[null]}",
                           "{\"a\":[NaN]}",
                           "{\"a\":[1 2]}",
                           "{\"a\":[9223372036854775808]}",
                           "{\"a\":[99999999999999999999999999]}",
                           "\xef\xbb\xbf{}",
                           "{}\x01"})
    EXPECT_THROW(numbers_in(text), Error) << text;
  EXPECT_THROW(numbers_in(std::string_view("{}\0", 3)), Error);
}

TEST(JsonReader, RefusalsSayWhereAndWhat) {
  const auto why = [](std::string_view text) { return refusal([&] { numbers_in(text); }); };
  EXPECT_EQ(why("{\"a\":[-1]}"), "byte 6 is \"-\" where a whole number of 0 or more should come");
  EXPECT_EQ(why("{\"a\":[9223372036854775808]}"), "the number at byte 6 is above 2^63 - 1");
  EXPECT_EQ(why("{\"a\""), "it ends where ':' should come");
  EXPECT_EQ(why("{\"a\":\xc3\xa9}"), "byte 5 is \"\xc3\xa9\" where '[' should come");
}

TEST(JsonReader, NestingDeeperThanAskedForIsRefusedWithoutFollowingIt) {
  EXPECT_THROW(numbers_in(std::string(1'000'000, '[')), Error);
  EXPECT_THROW(numbers_in("{\"a\":" + std::string(1'000'000, '[')), Error);
}

TEST(JsonReader, StringsAreUnescaped) {
  EXPECT_EQ(string_in(R"("a\"\\\/\b\f\n\r\t")"), "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(string_in(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "A\u00e9\u20ac\U0001f600");
  EXPECT_EQ(string_in(R"("\u0000")"), std::string(1, '\0'));
  EXPECT_EQ(string_in("\"\x7f\""), "\x7f");
  for (const char* text : {"\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u123g\"",
                           "\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ud83d\\u0041\"",
                           "\"\\ude00\"", "\"\\ud83d\\ud83d\"", "\"\n\"", "a\"", "\"\\u"})
    EXPECT_THROW(string_in(text), Error) << text;
}

TEST(Utf8, OnlyShortestFormsOfUnicodeCharactersAreText) {
  constexpr auto none = std::string_view::npos;
  for (const char* text :
       {"", "abc", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(find_invalid_utf8(text), none) << text;
  for (const char* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2x", "\xe0\x9f\xbf",
                           "\xe2\x82", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
                           "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xfe"})
    EXPECT_EQ(find_invalid_utf8(text), 0u);
  EXPECT_EQ(find_invalid_utf8("ab\xc3\xa9\xff"), 4u);
}

TEST(Utf8, EveryCodePointSurvivesEscapeAndRead) {
  for (unsigned c = 0; c < 0x110000; c += c < 0x300 ? 1 : 251) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    const unsigned high = 0xd800 + ((c - 0x10000) >> 10), low = 0xdc00 + (c & 0x3ff);
    const std::string escaped = c < 0x10000 ? fmt::format("\"\\u{:04x}\"", c)
                                            : fmt::format("\"\\u{:04X}\\u{:04x}\"", high, low);
    const std::string text = string_in(escaped);
    EXPECT_EQ(find_invalid_utf8(text), std::string_view::npos) << c;
    EXPECT_EQ(string_in(json_quoted(text)), text) << c;
  }
}

TEST(InQuotes, MessagesStayShortAndPrintable) {
  EXPECT_EQ(in_quotes("a\n\x01"), "\"a\\n\\u0001\"");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "\"" + std::string(60, 'x') + "\"...");
  const std::string wide = std::string(59, 'x') + "\u20ac\u20ac";
  EXPECT_EQ(in_quotes(wide), "\"" + std::string(59, 'x') + "\"...");
}

}  // namespace
}  // namespace napkin::io
