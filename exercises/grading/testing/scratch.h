// For tests that write files.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace napkin::exercises {

// A test with an empty folder of its own.
class WithFolder : public testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::path(NAPKIN_SCRATCH) /
                                 testing::UnitTest::GetInstance()->current_test_info()->name();
  void SetUp() override {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
};

inline void put(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What a call is refused with.
template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "(not refused)";
}

}  // namespace napkin::exercises
