// Where a demo's text goes: standard output, its width, its colours, and what happens when it ends.
#pragma once
#include <string>
#include <string_view>

namespace napkin::lecture {

inline constexpr int page_width = 96;  // no line is wider by our doing
inline constexpr int indent = 4;       // of a section's body

// Columns to use: the terminal's (or COLUMNS), between 40 and page_width.
int columns();

enum class Style { title, good, bad, quiet };
// The text in colour on a terminal; as it is elsewhere and where NO_COLOR is set.
std::string styled(std::string_view text, Style style);

// The text with control characters but line ends written as \x1b: what somebody typed must neither
// colour nor clear a terminal.
std::string without_controls(std::string_view text);

// The reader of standard output has gone ("| head"): nothing more needs to be said.
struct ReaderGone {};

// Writes the text and a line end to standard output at once. Throws ReaderGone where nobody reads
// any more, napkin::Error where it cannot be written (a full disk).
void put_line(std::string_view text);

// --quiet: put_line does nothing until it is loud again.
void set_quiet(bool quiet);
// Once the reader has gone: go on silently instead of throwing.
void set_silent_without_reader(bool silent);

}  // namespace napkin::lecture
