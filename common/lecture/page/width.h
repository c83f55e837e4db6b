// Text in columns: how wide UTF-8 text is on a terminal, padding and wrapping.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace napkin::lecture {

enum class Align { left, right, decimal };  // decimal: at the decimal point

// Columns that a terminal needs: 2 for Chinese characters and fullwidth punctuation, 0 for
// combining marks and colour sequences, 1 for all else (box drawing too).
int display_width(std::string_view text);

// The text with spaces up to that width; longer text stays whole. decimal pads like right: a
// single text has no column to align with.
std::string pad(std::string_view text, int width, Align align = Align::left);

// Lines of at most `width` columns, broken at spaces and between Chinese characters, never before
// closing punctuation nor inside short parentheses, (p1 p2 c). A longer word stays whole. Lines
// after the first start with `hanging` spaces; spaces of the text itself are kept, but for those at
// its end. '\n' breaks a line.
std::vector<std::string> wrapped(std::string_view text, int width, int hanging = 0);

}  // namespace napkin::lecture
