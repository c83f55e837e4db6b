// What the standard library's assertions and the sanitizers say of a crash, for a learner.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace napkin::exercises {

// Whether a line tells what was found; long explanations follow it.
bool is_finding(std::string_view line);

// "an index past the end of a std::vector", or "" where no assertion speaks.
std::string assertion_text(std::string_view printed);

// The line of the answer where it was found, "my/99_frame/twice.h:5:10", or "". answer: my/...
std::string line_of(std::string_view printed, std::string_view answer);

// Takes away what the sanitizer says of an abort, where a failed assertion stands before it.
void leave_out_abort(std::vector<std::string>& lines);

// At most about 200 bytes: of a failed assertion the end, which says what it was.
std::string readable_line(const std::string& line);

}  // namespace napkin::exercises
