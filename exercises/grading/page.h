// What a learner reads: one line for each exercise, under a failed one what went wrong, and how far
// they have come.
#pragma once
#include <vector>

#include "exercises/grading/answers.h"
#include "exercises/grading/verdict.h"

namespace napkin::exercises {

// The line of one exercise, and what belongs under it. all: also what a passed answer printed.
void print_verdict(const Exercise& exercise, const Verdict& verdict, bool all);

// [#####-----]  5 of 12 done
void print_progress(int done, int total);

// Text under a heading word, wrapped, lines after the first below the text's first letter.
void print_entry(std::string_view heading, std::string_view text);

}  // namespace napkin::exercises
