// All versions of a lesson's answers in one program, which our own tests start as they start a
// learner's: stub, solution, every mistake.
#pragma once
#include <span>

#include "exercises/grading/check.h"

namespace napkin::exercises {

struct Version {
  const char *exercise, *version;  // version: "stub", "solution", "mistakes/four_bytes"
  void (*grade)(Checks&);
};

// Of the generated file that includes them all.
extern const std::span<const Version> versions;

}  // namespace napkin::exercises
