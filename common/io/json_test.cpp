#include "common/io/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/core/utf8.h"
#include "common/io/testing/temporary_folder.h"  // refusal

namespace napkin::io {
namespace {

using Kind = JsonPiece::Kind;

// The text in ["..."].
std::string string_in(std::string_view text) {
  std::string result;
  read_json("[" + std::string(text) + "]", {}, [&](const JsonPiece& piece) {
    if (piece.in_list) piece.need(Kind::text);
    if (piece.kind == Kind::text) result = piece.text;
  });
  return result;
}

// Reads {"name": [numbers], ...} and nothing else.
std::string numbers_in(std::string_view text) {
  std::string result;
  read_json(text, {.depth = 2}, [&](const JsonPiece& piece) {
    if (piece.kind == Kind::end) return;
    if (piece.path.empty()) return piece.need(Kind::object);
    piece.need(piece.in_list ? Kind::number : Kind::list);
    result += piece.in_list ? std::to_string(piece.number) + "," : piece.path[0] + ":";
  });
  return result;
}

std::string why(std::string_view text) {
  return refusal([&] { numbers_in(text); });
}

TEST(Json, ObjectsListsAndNumbersAreTold) {
  EXPECT_EQ(numbers_in(R"({"a":[1,20],"b":[]})"), "a:1,20,b:");
  EXPECT_EQ(numbers_in(" {\t\"a\" :\n[ 0 ,\r9223372036854775807 ] } \n"),
            "a:0,9223372036854775807,");
  EXPECT_EQ(numbers_in("{}"), "");
}

TEST(Json, EveryPieceKnowsWhereItStands) {
  std::string told;
  read_json(R"([{"a": {"b": "x"}, "c": [7, [], "y"]}, 8])", {.depth = 4},
            [&](const JsonPiece& piece) {
              for (const std::string& name : piece.path) told += name + ".";
              told += "{[tn0/"[static_cast<int>(piece.kind)];
              told += piece.in_list ? "* " : " ";
            });
  EXPECT_EQ(told, "[ {* a.{ a.b.t a./ c.[ c.n* c.[* c./* c.t* c./ /* n* / ");
}

constexpr const char* refused[] = {"",
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
                                   "{\"a\":[-0]}",
                                   "{\"a\":[+1]}",
                                   "{\"a\":[1.0]}",
                                   "{\"a\":[1e3]}",
                                   "{\"a\":[1e999]}",
                                   "{\"a\":[0x1]}",
                                   "{\"a\":[null]}",
                                   "{\"a\":[true]}",
                                   "{\"a\":[NaN]}",
                                   "{\"a\":[1 2]}",
                                   "{\"a\":[9223372036854775808]}",
                                   "{\"a\":[99999999999999999999999999]}",
                                   "{\"a\":[],\"a\":[]}",
                                   "{\"a\":[],\"\\u0061\":[]}",
                                   "/**/{}",
                                   "\xef\xbb\xbf{}",
                                   "{}\x01"};

TEST(Json, EverythingElseIsRefused) {
  for (const char* text : refused) EXPECT_THROW(numbers_in(text), Error) << text;
  EXPECT_THROW(numbers_in(std::string_view("{}\0", 3)), Error);
}

TEST(Json, RefusalsSayWhereAndWhat) {
  const std::string no_value = " is neither a text nor a whole number from 0 to 2^63 - 1";
  EXPECT_EQ(why("{\"a\":[-1]}"), "\"a\": \"-1\"" + no_value);
  EXPECT_EQ(why("{\"a\":[9223372036854775808]}"), "\"a\": \"9223372036854775808\"" + no_value);
  EXPECT_EQ(why("{\"a\":true}"), "\"a\": \"true\"" + no_value);
  EXPECT_EQ(why("{\"a\":null}"), "\"a\": null where a list should come");
  EXPECT_EQ(why("{\"a\":\"x\"}"), "\"a\": a text where a list should come");
  EXPECT_EQ(why("{\"a\":[\"x\"]}"), "\"a\": a text where a whole number should come");
  EXPECT_EQ(why("{\"a\":[],\"a\":[]}"), "\"a\" is given twice");
  EXPECT_EQ(why("{\"a\""), "byte 5: unexpected end of input");
  EXPECT_EQ(why("{\"a\":]"), "byte 6: unexpected ']'");
  EXPECT_EQ(why("{\"a\":\xc3\xa9}"), "byte 6: invalid literal");
  EXPECT_EQ(why("{\"a\":\xc3}"), "byte 5 is not UTF-8 text");
  EXPECT_EQ(why(std::string("{}\0", 3)), "byte 2: a zero");
}

TEST(Json, TheSameNameMayStandInTwoObjects) {
  int texts = 0;
  read_json(R"([{"a":"x"},{"a":{"a":"y"},"b":"z"}])", {},
            [&](const JsonPiece& piece) { texts += piece.kind == Kind::text; });
  EXPECT_EQ(texts, 3);
}

TEST(Json, WhatIsBeyondTheLimitsIsRefusedWithoutFollowingIt) {
  EXPECT_EQ(why(std::string(1'000'000, '[')), "a list where an object should come");
  EXPECT_EQ(why("{\"a\":" + std::string(1'000'000, '[')),
            "\"a\": more than 2 objects and lists inside of each other");
  int told = 0;
  const auto count = [&](const JsonPiece&) { ++told; };
  EXPECT_EQ(refusal([&] { read_json(std::string(1'000'000, '['), {}, count); }),
            "more than 3 objects and lists inside of each other");
  EXPECT_EQ(told, 3);
  EXPECT_EQ(refusal([&] { read_json("[1, 2, 3]", {.bytes = 8}, count); }),
            "9 bytes of JSON: at most 8 are allowed");
  EXPECT_EQ(told, 3);
  read_json("[1, 2, 3]", {.bytes = 9, .depth = 1}, count);
  EXPECT_EQ(told, 8);
}

TEST(Json, RefusalsStayShort) {
  EXPECT_LT(why("{\"" + std::string(1000, 'x') + "\":null}").size(), 200u);
  EXPECT_LT(why("{" + std::string(1000, 'x')).size(), 200u);
  EXPECT_LT(why("{\"a\":\"" + std::string(1000, 'x')).size(), 200u);
}

TEST(Json, StringsAreUnescaped) {
  EXPECT_EQ(string_in(R"("a\"\\\/\b\f\n\r\t")"), "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(string_in(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "A\u00e9\u20ac\U0001f600");
  EXPECT_EQ(string_in(R"("\u0000")"), std::string(1, '\0'));
  EXPECT_EQ(string_in("\"\x7f\""), "\x7f");
  for (const char* text : {"\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u123g\"",
                           "\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ud83d\\u0041\"",
                           "\"\\ude00\"", "\"\\ud83d\\ud83d\"", "\"\n\"", "a\"", "\"\\u"})
    EXPECT_THROW(string_in(text), Error) << text;
}

TEST(Json, EveryCodePointSurvivesEscapeAndRead) {
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
  const std::string wide = fmt::format("{:x>59}\u20ac\u20ac", "");
  EXPECT_EQ(in_quotes(wide), "\"" + std::string(59, 'x') + "\"...");
}

}  // namespace
}  // namespace napkin::io
