// Widths follow the East Asian Width property (Unicode Standard Annex 11): W and F are two columns;
// A (ambiguous: box drawing, curly quotes) is one, as terminals show it outside legacy settings.
#include "common/lecture/page/width.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "common/core/utf8.h"

namespace napkin::lecture {
namespace {

struct Range {
  char32_t first, last;
};

constexpr std::array<Range, 13> wide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0x33FF},
                                         {0x3400, 0x4DBF},
                                         {0x4E00, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF01, 0xFF60},
                                         {0xFFE0, 0xFFE6},
                                         {0x1F300, 0x1F64F},
                                         {0x1F900, 0x1F9FF},
                                         {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 7> no_width = {{{0x0000, 0x001F},
                                            {0x007F, 0x009F},
                                            {0x0300, 0x036F},
                                            {0x200B, 0x200F},
                                            {0x20D0, 0x20FF},
                                            {0xFE00, 0xFE0F},
                                            {0xFEFF, 0xFEFF}}};

template <std::size_t count>
bool in(const std::array<Range, count>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& r) { return c >= r.first && c <= r.last; });
}

// One character: its bytes and its columns.
struct Glyph {
  std::size_t bytes;
  int columns;
  char32_t code;
};

// A byte that is not UTF-8 is one character of one column.
Glyph glyph_at(std::string_view text) {
  const Utf8Character c = first_utf8(text);
  if (c.bytes == 0) return {1, 1, U'\uFFFD'};
  return {c.bytes, in(wide, c.code) ? 2 : in(no_width, c.code) ? 0 : 1, c.code};
}

// Bytes of a colour sequence (ESC [ ... m) at the start of the text, else 0.
std::size_t colour_sequence(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

// A piece that is never broken: a word with the spaces before it, or one Chinese character.
struct Piece {
  std::string spaces, word;
};

bool may_not_start_a_line(char32_t c) {
  static constexpr std::u32string_view closing = U"，。、；：？！）》」』】〉…”’,.;:?!)]}%";
  return closing.find(c) != std::u32string_view::npos;
}
bool may_not_end_a_line(char32_t c) {
  static constexpr std::u32string_view opening = U"（《「『【〈“‘([{";
  return opening.find(c) != std::u32string_view::npos;
}

// Whether a line may end between two characters that no space parts.
bool breakable(const Glyph& before, const Glyph& after) {
  return (before.columns == 2 || after.columns == 2) && !may_not_end_a_line(before.code) &&
         !may_not_start_a_line(after.code);
}

// Bytes of "(p1 p2 c)" and other short parentheses at the start of the text, else 0: they are read
// as one word.
std::size_t short_parentheses(std::string_view text) {
  constexpr std::size_t longest = 16;
  if (!text.starts_with('(')) return 0;
  const std::size_t end = text.find(')');
  return end < longest ? end + 1 : 0;
}

std::vector<Piece> pieces(std::string_view text) {
  std::vector<Piece> all(1);
  Glyph before{};
  std::size_t unbroken = 0;  // bytes to go up to a closing parenthesis
  while (!text.empty()) {
    const Glyph g = glyph_at(text);
    if (unbroken == 0) {
      const bool word_ends = !all.back().word.empty() && (g.code == U' ' || breakable(before, g));
      if (word_ends) all.emplace_back();
      unbroken = short_parentheses(text);
    }
    (g.code == U' ' && unbroken == 0 ? all.back().spaces : all.back().word) +=
        text.substr(0, g.bytes);
    before = g;
    unbroken -= std::min(unbroken, g.bytes);
    text.remove_prefix(g.bytes);
  }
  return all;
}

bool ends_a_clause(std::string_view word) {
  static constexpr std::array<std::string_view, 6> marks = {"，", "。", "、", "：", "；", "）"};
  return std::any_of(marks.begin(), marks.end(), [&](auto mark) { return word.ends_with(mark); });
}

// Between Chinese characters a line may end anywhere, also inside a word. It better ends where a
// clause does: what follows one that ends within the last columns is cut off and returned.
std::string cut_after_clause(std::string& line, std::size_t clause_end, int width) {
  const int near = std::min(12, width / 4);
  const std::string rest = line.substr(clause_end);
  if (clause_end == 0 || display_width(rest) > near) return {};
  line.resize(clause_end);
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

void wrap_one(std::string_view text, int width, int hanging, std::vector<std::string>& lines) {
  std::string line;
  std::size_t clause_end = 0;  // bytes of the line up to there
  int used = 0;
  for (const Piece& piece : pieces(text)) {
    const int word = display_width(piece.word);
    const int spaces = static_cast<int>(piece.spaces.size());
    if (used > 0 && used + spaces + word > width && !piece.word.empty()) {
      const std::string rest = spaces > 0 ? "" : cut_after_clause(line, clause_end, width);
      lines.push_back(std::move(line));
      line = std::string(static_cast<std::size_t>(hanging), ' ') + rest + piece.word;
      used = hanging + display_width(rest) + word;
      clause_end = 0;
    } else {
      line += piece.spaces + piece.word;
      used += spaces + word;
    }
    if (ends_a_clause(piece.word)) clause_end = line.size();
  }
  line.erase(line.find_last_not_of(' ') + 1);
  lines.push_back(std::move(line));
}

}  // namespace

int display_width(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    if (const std::size_t skip = colour_sequence(text); skip > 0) {
      text.remove_prefix(skip);
      continue;
    }
    const Glyph g = glyph_at(text);
    columns += g.columns;
    text.remove_prefix(g.bytes);
  }
  return columns;
}

std::string pad(std::string_view text, int width, Align align) {
  const int missing = std::max(0, width - display_width(text));
  const std::string spaces(static_cast<std::size_t>(missing), ' ');
  return align == Align::left ? std::string(text) + spaces : spaces + std::string(text);
}

std::vector<std::string> wrapped(std::string_view text, int width, int hanging) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    wrap_one(text.substr(start, end - start), width, hanging, lines);
    start = end + 1;
  }
  return lines;
}

}  // namespace napkin::lecture
