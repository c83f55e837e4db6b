// Values and claims as text.
#pragma once
#include <string>

#include "common/lecture/claims/rules.h"

namespace napkin::lecture {

// With every digit: "2415919104", "0.6000000000000001", "(4, 1)", "yes", "fp32".
std::string plain_text(const Value& value);

// The lecture's number with its unit and the rule's sign: "464 GB", ">= 1000"; "-" for none.
std::string lecture_text(const Claim& claim);

// This machine's number, rounded to a little more than what the rule looks at; with every digit
// where the rule is exact, and where the claim is off: rounding might hide why.
std::string got_text(const Claim& claim, const Value& got);

}  // namespace napkin::lecture
