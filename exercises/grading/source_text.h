// What is wrong with the text of an answer that a compiler would say in many words, or of another
// file.
#pragma once
#include <string>
#include <string_view>

namespace napkin::exercises {

// Whether it is UTF-16, as some editors save, or has zeros at the start: no source code.
bool is_utf16(std::string_view text);
// Whether nothing is there.
bool is_blank(std::string_view text);

// A sentence about `mine`, the file as the learner names it: what its end leaves open (a bracket, a
// comment, a text in quotes, an #if), or which bracket closes nothing. Else empty.
std::string what_is_unfinished(std::string_view text, const std::string& mine);

}  // namespace napkin::exercises
