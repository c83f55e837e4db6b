#include "common/core/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace napkin {
namespace {

constexpr auto none = std::string_view::npos;

static_assert(first_utf8("a").code == U'a');
static_assert(first_utf8("\u6570x").code == U'\u6570' && first_utf8("\u6570x").bytes == 3);
static_assert(first_utf8("").bytes == 0);

// Written by the definition, so also what is no character: surrogates and numbers too large.
std::string written(unsigned code, int bytes) {
  static constexpr unsigned heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  std::string text;
  for (int i = bytes - 1; i > 0; --i, code >>= 6)
    text.insert(text.begin(), static_cast<char>(0x80 | (code & 0x3f)));
  text.insert(text.begin(), static_cast<char>(heads[bytes] | code));
  return text;
}
int bytes_of(unsigned code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

TEST(Utf8, EveryCodePointIsReadBackButSurrogates) {
  for (unsigned code = 0; code <= 0x10ffff; ++code) {
    const std::string text = written(code, bytes_of(code));
    const Utf8Character c = first_utf8(text + "x");
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    ASSERT_EQ(c.bytes, surrogate ? 0 : text.size()) << code;
    ASSERT_EQ(unsigned{c.code}, surrogate ? 0 : code);
  }
}

TEST(Utf8, OverlongFormsAreNone) {
  for (unsigned code = 0; code < 0x10000; ++code)
    for (int bytes = bytes_of(code) + 1; bytes <= 4; ++bytes)
      ASSERT_EQ(first_utf8(written(code, bytes)).bytes, 0u) << code << " in " << bytes;
}

TEST(Utf8, NumbersAboveUnicodeAreNone) {
  for (unsigned code = 0x110000; code < 0x200000; code += 61)
    ASSERT_EQ(first_utf8(written(code, 4)).bytes, 0u) << code;
}

TEST(Utf8, CharactersThatAreCutAreNone) {
  for (const unsigned code : {0x80u, 0x7ffu, 0x800u, 0xffffu, 0x10000u, 0x10ffffu}) {
    const std::string whole = written(code, bytes_of(code));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_EQ(first_utf8(whole.substr(0, length)).bytes, 0u);
      EXPECT_EQ(first_utf8(whole.substr(0, length) + "x").bytes, length == 0 ? 1u : 0u);
    }
  }
}

TEST(Utf8, OnlyShortestFormsOfUnicodeCharactersAreText) {
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

TEST(Utf8, TextIsCutBetweenCharacters) {
  EXPECT_EQ(shortened("a\u6570b", 9), "a\u6570b");
  EXPECT_EQ(shortened("a\u6570b", 4), "a\u6570");
  EXPECT_EQ(shortened("a\u6570b", 3), "a");
  EXPECT_EQ(shortened("a\u6570b", 0), "");
  EXPECT_EQ(shortened("\x80\x80\x80", 2), "");  // no UTF-8 at all
}

}  // namespace
}  // namespace napkin
