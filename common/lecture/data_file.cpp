#include "common/lecture/data_file.h"

#include <filesystem>

namespace napkin::lecture {

namespace {

const char* demo_folder = "";

namespace fs = std::filesystem;

std::string in_one_of(const fs::path& source, const std::string& owner, const std::string& file) {
  std::error_code none;
  if (fs::exists(source / file, none)) return source / file;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  return program.parent_path() / "data" / owner / file;
}

}  // namespace

void set_demo_folder(const char* path) { demo_folder = path; }

std::string demo_file(const std::string& demo, const std::string& file) {
  return in_one_of(demo_folder, demo, file);
}

std::string common_file(const std::string& file) {
  return in_one_of(NAPKIN_LECTURE_FOLDER, "common", file);
}

}  // namespace napkin::lecture
