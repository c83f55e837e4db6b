// Compiles answers, one program each, with the build folder's own CMake.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "exercises/grading/answers.h"
#include "exercises/grading/verdict.h"

namespace napkin::exercises {

// The target of an exercise; sanitized: the one with AddressSanitizer and UBSan.
std::string target_of(const Exercise& exercise, bool sanitized);
// Its program.
std::string program_of(const Places& places, const Exercise& exercise, bool sanitized);

// Brings the programs up to date with the answers. Returns why those do not compile that do not;
// their old programs are gone. One build at a time in a build folder:
// waits for another one. Refuses (napkin::Error) what is not the answers' fault.
std::map<std::string, Fault> compile(const Places& places, const std::vector<Exercise>& list,
                                     bool sanitized);

// Whether the program was made from the answer as it is now.
bool is_compiled(const Places& places, const Exercise& exercise, bool sanitized);

// Of a build's output, the first lines that tell a learner what is wrong; where none does, the
// last.
std::vector<std::string> first_messages(const std::string& output, const std::string& root);

// The same with a sentence where the answer's own lines are not what the compiler complains of.
// file: the answer's below my/.
Fault explained(const std::string& output, const std::string& root, const std::string& file);

}  // namespace napkin::exercises
