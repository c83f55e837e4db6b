// Runs the checks of one exercise and ends the program.
#pragma once
#include "exercises/grading/check.h"

namespace napkin::exercises {

// Sends what happens down the channel, "end" last, and leaves without what an answer may have left
// to be done at exit.
[[noreturn]] void run_checks(void (*grade)(Checks&));

}  // namespace napkin::exercises
