// Values as text.
#pragma once
#include <string>

#include "common/lecture/value.h"

namespace napkin::lecture {

// With every digit: "2415919104", "0.6000000000000001", "(4, 1)", "yes", "fp32".
std::string plain_text(const Value& value);

}  // namespace napkin::lecture
