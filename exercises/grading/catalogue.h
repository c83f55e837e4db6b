// The list of exercises: exercises/NN_lesson/exercises.json.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace napkin::exercises {

struct Exercise {
  std::string lesson;  // "01_tensors"
  std::string name;    // "tensor_bytes"
  std::string title;
  std::string section;             // of the lecture, "2.2"
  std::string number;              // of the lecture's exercise it answers, "1", or ""
  std::vector<std::string> hints;  // two, the second says more
  std::string explanation;         // shown with the solution
  std::vector<std::pair<std::string, std::string>> mistakes;  // name -> the sentence that helps

  std::string id() const {
    return lesson.substr(0, 2) + "." + name;
  }  // as in ctest, "01.tensor_bytes"
  std::string file() const { return lesson + "/" + name + ".h"; }
  std::string target() const { return "exercise_" + lesson.substr(0, 2) + "_" + name; }
  // The sentence of a mistake; refuses a name that is not listed.
  const std::string& hint_for(const std::string& mistake) const;
};

// All exercises below that folder, in order. Refuses (napkin::Error, naming the file) a list that
// cannot be read, lacks a part, or names an exercise twice.
std::vector<Exercise> read_catalogue(const std::string& folder);

// Those meant by "01", "1", "01_tensors", "tensor_bytes", "01.tensor_bytes" or
// "01_tensors/tensor_bytes"; refuses other words with the nearest name.
std::vector<Exercise> chosen(const std::vector<Exercise>& all, const std::string& word);

}  // namespace napkin::exercises
