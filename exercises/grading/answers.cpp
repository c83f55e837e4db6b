#include "exercises/grading/answers.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/core/error.h"
#include "common/core/whole_file.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;

void make_folder_of(const std::string& file) {
  std::error_code why;
  const fs::path folder = fs::path(file).parent_path();
  fs::create_directories(folder, why);
  check(!why, "{}: the folder cannot be made: {}", folder.string(), why.message());
}

// Writes a file that is not there yet; false where there is one. Whole: a stub cut in half would
// pass for an answer.
bool write_new(const std::string& path, const std::string& text) {
  make_folder_of(path);
  WholeFile file(path);
  file.write(text);
  return file.commit_new();
}

// my/kept/01_tensors/tensor_bytes.DATE_TIME.h, with a number where that is taken.
std::string keep(const Places& places, const Exercise& e, const std::string& text) {
  const std::string stem = fmt::format("{}/my/kept/{}/{}.{:%Y-%m-%d_%H.%M.%S}", places.answers,
                                       e.lesson, e.name, fmt::localtime(std::time(nullptr)));
  for (int again = 1;; ++again) {
    const std::string path = again == 1 ? stem + ".h" : fmt::format("{}_{}.h", stem, again);
    if (write_new(path, text)) return path;
  }
}

}  // namespace

std::string text_of_file(const std::string& path) {
  std::error_code none;
  check(!fs::is_directory(path, none), "{} is a folder, not a file", path);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  check(file.good() || (file.is_open() && fs::file_size(path, none) == 0), "{} cannot be read: {}",
        path, std::strerror(errno));
  return text.str();
}

int add_missing_stubs(const Places& places, const std::vector<Exercise>& list) {
  int added = 0;
  std::error_code none;
  for (const Exercise& e : list) {
    if (fs::symlink_status(places.answer(e), none).type() != fs::file_type::not_found) continue;
    if (write_new(places.answer(e), text_of_file(places.stub(e)))) ++added;
  }
  return added;
}

bool is_untouched(const Places& places, const Exercise& e) {
  return text_of_file(places.answer(e)) == text_of_file(places.stub(e));
}

std::string reset(const Places& places, const Exercise& e) {
  const std::string path = places.answer(e), mine = text_of_file(path);
  const std::string stub = text_of_file(places.stub(e));
  if (mine == stub) return {};
  const std::string kept = keep(places, e, mine);
  write_whole_file(path, stub);
  return kept;
}

}  // namespace napkin::exercises
