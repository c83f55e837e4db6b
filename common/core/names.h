// Names that people type: of formats, dtypes, flags, exercises.
#pragma once
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace napkin {

// Whether both name the same: letters of either case, and a blank or "-" in place of "_". "FP8
// E4M3" is fp8_e4m3.
bool same_name(std::string_view a, std::string_view b);

// The name that `given` begins, else the one that differs by the fewest letters, where one is near.
std::optional<std::string> nearest(std::string_view given, const std::vector<std::string>& names);

// Refuses one that does not exist, with those that do:
//   number format "fp7" does not exist (did you mean fp64?): fp64, fp32, ...
[[noreturn]] void refuse_name(std::string_view what, std::string_view text,
                              const std::vector<std::string>& names,
                              std::source_location where = std::source_location::current());

}  // namespace napkin
