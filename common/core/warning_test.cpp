// Who hears a warning.
#include "common/core/warning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace napkin {
namespace {

TEST(Warning, GoesToStderrAsOneLine) {
  testing::internal::CaptureStderr();
  warn("two and two are five");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: two and two are five\n");
}

TEST(Warning, GoesToTheHandlerWhileItIsThere) {
  std::vector<std::string> outer, inner;
  testing::internal::CaptureStderr();
  {
    const WarningsTo first([&](const std::string& s) { outer.push_back(s); });
    warn("a");
    {
      const WarningsTo second([&](const std::string& s) { inner.push_back(s); });
      warn("b");
      const WarningsTo nobody({});
      warn("c");
    }
    warn("d");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(outer, (std::vector<std::string>{"a", "d"}));
  EXPECT_EQ(inner, std::vector<std::string>{"b"});
}

TEST(Warning, HandlersMayThrowWarnAndSetAnother) {
  std::vector<std::string> heard;
  const WarningsTo restored([](const std::string& s) { throw std::runtime_error(s); });
  EXPECT_THROW(warn("a"), std::runtime_error);
  set_warning_handler([&](const std::string& s) {
    set_warning_handler([&](const std::string& again) { heard.push_back(again); });
    warn(s + s);
  });
  warn("b");
  EXPECT_EQ(heard, std::vector<std::string>{"bb"});
}

TEST(Warning, IsHandledOneAtATime) {
  std::atomic<int> inside = 0, most = 0, heard = 0;
  const WarningsTo slow([&](const std::string&) {
    most = std::max(most.load(), ++inside);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
    ++heard;
  });
  std::vector<std::thread> team;
  for (int i = 0; i < 4; ++i)
    team.emplace_back([] {
      for (int k = 0; k < 10; ++k) warn("again");
    });
  for (std::thread& t : team) t.join();
  EXPECT_EQ(heard, 40);
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace napkin
