// What an exercise's program may not do, set by itself between fork and exec.
#pragma once
#include "exercises/grading/runner.h"

namespace napkin::exercises {

// No more than the limits, no large files, no process of its own; sanitizers end it by a signal.
// Calls nothing that could hang in a forked process.
void confine(const Limits& limits);

}  // namespace napkin::exercises
