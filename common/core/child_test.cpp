#include "common/core/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

#include "common/io/testing/temporary_folder.h"

namespace napkin {
namespace {

Ended shell(const std::string& line, const ChildLimits& limits = {}) {
  return run_child({"sh", "-c", line}, limits);
}

TEST(Child, WhatItPrintedAndHowItEndedIsTold) {
  const Ended ended = run_program({"sh", "-c", "printf out; printf err >&2; exit 3"});
  EXPECT_EQ(ended.output, "outerr");
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(ended.signal, 0);
  EXPECT_EQ(ended.stopped, Stopped::no);
  EXPECT_EQ(shell("kill -TERM $$").signal, SIGTERM);
}

TEST(Child, NoShellReadsTheWords) {
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$HOME", ""}).output, "a b|$HOME||");
}

TEST(Child, AProgramThatIsNotThereEndsWith127) {
  const Ended ended = run_program({"/nowhere/at/all"});
  EXPECT_EQ(ended.exit_code, 127);
  EXPECT_EQ(ended.output, "/nowhere/at/all: No such file or directory\n");
}

TEST(Child, OfMuchOutputTheEndIsKept) {
  const Ended ended = run_program({"sh", "-c", "yes | head -n 1000000; printf last"}, 1000);
  EXPECT_TRUE(ended.output.ends_with("y\nlast"));
  EXPECT_GE(ended.output.size(), 1000u);
  EXPECT_LE(ended.output.size(), 70'000u);
}

TEST(Child, WhatPrintsTooMuchIsStopped) {
  EXPECT_EQ(shell("yes", {.printed = 100'000}).stopped, Stopped::printed_too_much);
  const Ended ended = shell("head -c 100000 /dev/zero", {.printed = 100'000, .kept = 100'000});
  EXPECT_EQ(ended.stopped, Stopped::no);
  EXPECT_EQ(ended.output.size(), 100'000u);
}

TEST(Child, WhatTakesTooLongIsStopped) {
  const auto begin = std::chrono::steady_clock::now();
  const Ended ended = shell("printf before; exec sleep 100", {.seconds = 0.2});
  EXPECT_EQ(ended.stopped, Stopped::took_too_long);
  EXPECT_EQ(ended.signal, SIGKILL);
  EXPECT_EQ(ended.output, "before");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(Child, WhatComputesTooLongIsStopped) {
  const Ended ended = shell("while :; do :; done", {.processor_seconds = 1});
  EXPECT_EQ(ended.stopped, Stopped::took_too_long);
}

TEST(Child, WhatTakesTooMuchMemoryIsStopped) {
  const std::string grows = "x=0123456789; while :; do x=$x$x; done";
  EXPECT_EQ(shell(grows, {.resident = 1 << 26}).stopped, Stopped::took_too_much_memory);
  EXPECT_NE(shell(grows, {.memory = 1 << 26}).exit_code, 0);
}

TEST(Child, LargeFilesAreNotWritten) {
  const Ended ended = shell("exec head -c 100000 /dev/zero >/dev/null", {.file = 1000});
  EXPECT_EQ(ended.signal, 0);  // no file
  const io::TemporaryFolder folder;
  const ChildLimits limits = {.file = 1000};
  const std::string file = folder / "x";
  EXPECT_EQ(shell("exec head -c 100000 /dev/zero >" + file, limits).signal, SIGXFSZ);
  EXPECT_EQ(io::content_of(file).size(), 1000u);
}

TEST(Child, AloneItReadsNothingAndItsGroupEndsWithIt) {
  const Ended ended = shell("cat; sleep 100 & echo $!", {.alone = true});
  // It is gone, or has no words left until whoever inherited it has looked.
  const std::string words = "/proc/" + std::to_string(std::stoi(ended.output)) + "/cmdline";
  for (int i = 0; i < 100 && !io::content_of(words).empty(); ++i) usleep(50'000);
  EXPECT_EQ(io::content_of(words), "");
}

TEST(Child, AReportComesDownAPipeOfItsOwn) {
  ChildLimits limits;
  limits.reported = 1000;
  limits.prepare = [](int pipe) {
    if (write(pipe, "prepared ", 9) != 9) _exit(1);
    setenv("NAPKIN_TEST_PIPE", std::to_string(pipe).c_str(), 1);
  };
  const Ended ended =
      run_child({"bash", "-c", "echo output; echo report >&$NAPKIN_TEST_PIPE"}, limits);
  EXPECT_EQ(ended.output, "output\n");
  EXPECT_EQ(ended.report, "prepared report\n");
  EXPECT_EQ(getenv("NAPKIN_TEST_PIPE"), nullptr);
  EXPECT_EQ(run_child({"bash", "-c", "yes >&$NAPKIN_TEST_PIPE"}, limits).stopped,
            Stopped::printed_too_much);
}

}  // namespace
}  // namespace napkin
