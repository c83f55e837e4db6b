// Grades answers: compiles them, runs them, judges what they did.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "exercises/grading/answers.h"
#include "exercises/grading/verdict.h"

namespace napkin::exercises {

// One verdict for each exercise, by name. Answers that still are stubs are not compiled.
std::map<std::string, Verdict> grade(const Places& places, const std::vector<Exercise>& list,
                                     bool sanitized);

// The verdict on a program that is compiled already.
Verdict run_and_judge(const Places& places, const Exercise& exercise, bool sanitized);

}  // namespace napkin::exercises
