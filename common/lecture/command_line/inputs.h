// Inputs of a demo and of its subcommands: text from the command line into typed variables.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "common/lecture/report.h"

namespace napkin::lecture {

// Sets the target from the texts given for one flag, in their order. Lists are written 2,3,4, or
// 2, 3, 4; "" is the empty list, and for a list of lists one that is empty. A list of texts, or of
// lists, gets what several uses of the flag give it.
// Refuses (napkin::Error) with the flag, the text and what was allowed; the target is then as
// before. Returns whether the value is another one than before.
bool set_input(const Input& input, const std::vector<std::string>& given);

// "12288", "2,3,4": the value as it would be given.
std::string input_text(const InputTarget& target);

// What the help calls the value: N, TEXT, N,N,... or "N,N;N,N" in quotes, since a shell ends a
// command at ";". Empty for a switch.
std::string_view placeholder(const InputTarget& target);
bool is_switch(const InputTarget& target);
// Whether several uses add up: a list of texts or of lists.
bool is_gathering(const InputTarget& target);

// What was given, so that nothing is seen, too: "".
std::string as_typed(std::string_view text);

// A whole number in [low, high]; refuses anything else with `flag` in front.
std::int64_t whole_number(std::string_view flag, std::string_view text, std::int64_t low,
                          std::int64_t high);
// 0 to 2^64 - 1.
std::uint64_t seed_number(std::string_view flag, std::string_view text);

}  // namespace napkin::lecture
