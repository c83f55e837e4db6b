// The commands of the exercises' program; each returns the exit code.
#pragma once
#include <string>
#include <vector>

#include "exercises/grading/answers.h"

namespace napkin::exercises {

inline constexpr int all_well = 0, some_failed = 1, refused = 2, skipped = 77;

// Grades them, prints a line for each and, where it is more than one, how many are done.
int grade_and_print(const Places& places, const std::vector<Exercise>& list, bool sanitized);
// Grades them, then each one whenever its file has been saved, until interrupted; how many are done
// after each.
int watch(const Places& places, const std::vector<Exercise>& list, bool sanitized);
// The first hint; when asked again the second too.
int print_hint(const Places& places, const Exercise& exercise);
// Shown after a pass, or anyway.
int print_solution(const Places& places, const Exercise& exercise, bool anyway);
int reset_answer(const Places& places, const Exercise& exercise);

// The two ctest lines of an exercise.
int compile_for_ctest(const Places& places, const Exercise& exercise);
int check_for_ctest(const Places& places, const Exercise& exercise);

}  // namespace napkin::exercises
