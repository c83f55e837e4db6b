// UTF-8: characters taken from text, where it stops being text, and cutting it between characters.
//
// The Unicode Standard 15, table 3-7: forms that are longer than needed, halves of surrogate pairs
// and numbers above U+10FFFF are no characters.
#pragma once
#include <cstddef>
#include <string_view>

namespace napkin {

// A character of 0 bytes is none.
struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

// Whether the byte is one of a character's after its first.
constexpr bool continues_utf8(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80;
}

// The character with which the text begins.
constexpr Utf8Character first_utf8(std::string_view text) {
  if (text.empty()) return {};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  char32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_utf8(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[bytes] || surrogate || code > 0x10ffff) return {};
  return {code, bytes};
}

// Position of the first byte that is no UTF-8, or npos.
constexpr std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = first_utf8(text.substr(i)).bytes;
    if (bytes == 0) return i;
    i += bytes;
  }
  return std::string_view::npos;
}

// At most so many bytes, not ending inside a character.
constexpr std::string_view shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_utf8(text[most])) --most;
  return text.substr(0, most);
}

}  // namespace napkin
