// The learner's folder, my/: stubs are put there once, and nothing there is ever overwritten but by
// "reset", which keeps a copy.
#pragma once
#include <string>
#include <vector>

#include "exercises/grading/catalogue.h"

namespace napkin::exercises {

// Where things are. Our own tests have a list and a my/ of their own.
struct Places {
  std::string exercises;  // the folder with the lessons' folders
  std::string answers;    // the folder that holds my/
  std::string build;      // the build folder of CMake

  std::string stub(const Exercise& e) const { return exercises + "/" + e.file(); }
  std::string solution(const Exercise& e) const { return exercises + "/solutions/" + e.file(); }
  std::string answer(const Exercise& e) const { return answers + "/my/" + e.file(); }
  std::string notes(const std::string& name) const { return build + "/exercises/" + name; }
};

// The text of a file; refuses what cannot be read.
std::string text_of_file(const std::string& path);

// Puts stubs where there is no answer yet; returns how many. Never overwrites, whoever else is
// writing at the same time.
int add_missing_stubs(const Places& places, const std::vector<Exercise>& list);

// Whether the answer still is the stub, letter for letter.
bool is_untouched(const Places& places, const Exercise& exercise);

// Puts the stub back. Returns the file that keeps the learner's text, or "" where the answer was
// the stub already.
std::string reset(const Places& places, const Exercise& exercise);

}  // namespace napkin::exercises
