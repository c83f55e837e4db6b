// For the tests that run the fake demo: one run, and what it left behind.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "common/core/child.h"

namespace napkin::lecture {

using Words = std::vector<std::string>;

// Runs the fake demo with arguments; the environment is "NAME=value" and has no locale.
inline Ended fake_demo(const Words& arguments, const Words& environment = {}) {
  Words words = {"env", "-u", "LC_ALL", "-u", "LANG", "-u", "LC_MESSAGES", "-u", "COLUMNS"};
  words.insert(words.end(), environment.begin(), environment.end());
  words.push_back(NAPKIN_FAKE);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words);
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

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

}  // namespace napkin::lecture
