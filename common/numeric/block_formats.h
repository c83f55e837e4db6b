// Block formats and scale rules by the names that a command line has for them.
#pragma once
#include <string_view>

#include "common/numeric/blocks.h"

namespace napkin {

// "floor", "up", "nearest".
std::string_view name(ScaleRule rule);
// Refuses other names with the list of those known, as the next one.
ScaleRule scale_rule_named(std::string_view text);

// "nvfp4", "mxfp8", "mxfp8_e5m2", "mxfp4"; "fp8" and "fp4": e4m3fn and e2m1 with one FP32 scale for
// the tensor.
BlockFormat block_format_named(std::string_view text);

// The name as it is written here: "nvfp4" of "NVFP4".
std::string_view block_format_name(std::string_view text);

}  // namespace napkin
