// The main function of an exercise's program: the checks of one exercise, on the learner's answer.
#include "exercises/grading/check.h"

void grade(napkin::exercises::Checks& checks);  // from the exercise's checks

int main() { napkin::exercises::run_checks(grade); }
