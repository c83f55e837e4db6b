#include "common/io/json.h"

#include <algorithm>
#include <limits>

#include "common/core/error.h"

namespace napkin::io {
namespace {

constexpr std::size_t npos = std::string_view::npos;

void append_utf8(std::string& text, std::uint32_t c) {
  const auto byte = [&](std::uint32_t b) { text.push_back(static_cast<char>(b)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0 | c >> 6);
    byte(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    byte(0xe0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3f));
    byte(0x80 | (c & 0x3f));
  } else {
    byte(0xf0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3f));
    byte(0x80 | (c >> 6 & 0x3f));
    byte(0x80 | (c & 0x3f));
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Bytes of the UTF-8 character at the front, 0 where there is none (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto within = [](unsigned b, unsigned low, unsigned high) { return b >= low && b <= high; };
  const unsigned first = byte(0), second = byte(1);
  std::size_t length = 0;
  if (first < 0x80) return 1;
  if (within(first, 0xc2, 0xdf)) length = 2;
  if (within(first, 0xe0, 0xef)) length = 3;
  if (within(first, 0xf0, 0xf4)) length = 4;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i])) return 0;
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second > 0x9f;
  const bool past_unicode = first == 0xf4 && second > 0x8f;
  return overlong || surrogate || past_unicode ? 0 : length;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return npos;
}

std::string json_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto at = std::string_view("\"\\\b\f\n\r\t").find(c);
    if (c != '\0' && at != npos)
      (result += '\\') += "\"\\bfnrt"[at];
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return json_quoted(text);
  std::size_t cut = longest;
  while (cut > 0 && is_continuation(text[cut])) --cut;
  return json_quoted(text.substr(0, cut)) + "...";
}

JsonReader::JsonReader(std::string_view text) : text_(text) {
  const std::size_t bad = find_invalid_utf8(text);
  check(bad == npos, "byte {} is not UTF-8 text", bad);
}

void JsonReader::refuse(std::string_view wanted) const {
  if (at_ >= text_.size()) fail("it ends where {} should come", wanted);
  const auto found = text_.substr(at_, std::max<std::size_t>(1, utf8_length(text_.substr(at_))));
  fail("byte {} is {} where {} should come", at_, in_quotes(found), wanted);
}

void JsonReader::skip_space() {
  at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size());
}

bool JsonReader::accept(char c) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void JsonReader::expect(char c) {
  if (!accept(c)) refuse(fmt::format("'{}'", c));
}

void JsonReader::end() {
  skip_space();
  if (at_ < text_.size()) refuse("the end");
}

char JsonReader::peek(std::string_view wanted) const {
  if (at_ >= text_.size()) refuse(wanted);
  return text_[at_];
}

std::int64_t JsonReader::natural() {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  skip_space();
  const std::size_t start = at_;
  std::int64_t n = 0;
  for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
    const int digit = text_[at_] - '0';
    check(n <= (most - digit) / 10, "the number at byte {} is above 2^63 - 1", start);
    n = n * 10 + digit;
  }
  const bool more = at_ < text_.size() && std::string_view(".eE").find(text_[at_]) != npos;
  if (at_ == start || more) refuse("a whole number of 0 or more");
  check(at_ == start + 1 || text_[start] != '0', "the number at byte {} begins with 0", start);
  return n;
}

std::uint32_t JsonReader::hexadecimal() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = peek("a hexadecimal digit");
    const auto digit = std::string_view("0123456789abcdef")
                           .find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (digit == npos) refuse("a hexadecimal digit");
    ++at_;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  return value;
}

std::uint32_t JsonReader::escaped_code_point() {
  const std::size_t start = at_;
  const std::uint32_t first = hexadecimal();
  if (first < 0xd800 || first > 0xdfff) return first;
  // Characters above 0xffff are written as a pair: 10 bits in each half.
  const bool pair = first < 0xdc00 && text_.substr(at_, 2) == "\\u";
  if (pair) at_ += 2;
  const std::uint32_t second = pair ? hexadecimal() : 0;
  check(second >= 0xdc00 && second <= 0xdfff, "byte {} begins half a surrogate pair", start);
  return 0x10000 + ((first - 0xd800) << 10 | (second - 0xdc00));
}

char JsonReader::escaped_character() {
  const char c = peek("an escaped character");
  const auto which = std::string_view("\"\\/bfnrt").find(c);
  if (which == npos) refuse("one of \" \\ / b f n r t u");
  ++at_;
  return "\"\\/\b\f\n\r\t"[which];
}

std::string JsonReader::string() {
  skip_space();
  if (peek("a string") != '"') refuse("a string");
  std::string result;
  for (++at_;;) {
    const char c = peek("the rest of a string");
    if (static_cast<unsigned char>(c) < 0x20) refuse("a character of a string");
    ++at_;
    if (c == '"') return result;
    if (c != '\\') {
      result += c;
    } else if (peek("an escaped character") == 'u') {
      ++at_;
      append_utf8(result, escaped_code_point());
    } else {
      result += escaped_character();
    }
  }
}

}  // namespace napkin::io
