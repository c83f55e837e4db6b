// For the tests of a demo's subcommands: runs the program NAPKIN_DEMO.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/core/child.h"
#include "common/io/testing/temporary_folder.h"

namespace napkin {

using Words = std::vector<std::string>;

class WhatIf : public testing::Test {
 protected:
  io::TemporaryFolder folder;

  Ended run(Words words) {
    words.insert(words.begin(), NAPKIN_DEMO);
    return run_program(words);
  }
  // What stands in the JSON under "values", without blanks.
  std::string values(Words words) {
    const std::string json = folder / "out.json";
    words.insert(words.begin() + 1, {"--json", json});
    const Ended ended = run(words);
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
    const std::string text = io::content_of(json);
    std::string packed;
    for (const char c : text.substr(text.find("\"values\"")))
      if (c != ' ' && c != '\n') packed += c;
    return packed;
  }
  void expect_value(const Words& words, const std::string& wanted) {
    const std::string found = values(words);
    EXPECT_NE(found.find(wanted), std::string::npos) << wanted << " in " << found;
  }
  void expect_line(const Words& words, const std::string& wanted) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
    EXPECT_NE(ended.output.find(wanted), std::string::npos) << wanted << " in " << ended.output;
  }
  void expect_refusal(const Words& words, const std::string& wanted) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.exit_code, 2);
    const std::string demo = std::filesystem::path(NAPKIN_DEMO).filename();
    EXPECT_TRUE(ended.output.starts_with(demo + ": ")) << ended.output;
    EXPECT_NE(ended.output.find(wanted), std::string::npos) << wanted << " in " << ended.output;
  }
};

}  // namespace napkin
