// How this program was built.
#pragma once

namespace napkin::lecture {

// Whether timings mean anything in this build: optimised and without sanitizers.
bool timing_is_meaningful();

}  // namespace napkin::lecture
