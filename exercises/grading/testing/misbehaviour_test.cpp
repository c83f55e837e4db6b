// Answers that do harm: how each run ends, that it ends in time, and that nothing of it is left.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "exercises/grading/verdict.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;

const bool sanitized = limits_for(false).memory == 0;

Run run_misbehaviour(const std::string& name, Limits limits = limits_for(false)) {
  return run_exercise({NAPKIN_MISBEHAVIOURS, name}, limits);
}

// Processes of that misbehaviour, by their command lines; a process about to vanish has none.
int running(const std::string& name) {
  const std::string words = std::string(NAPKIN_MISBEHAVIOURS) + '\0' + name + '\0';
  int found = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/proc", none)) {
    std::ostringstream line;
    line << std::ifstream(entry.path() / "cmdline", std::ios::binary).rdbuf();
    found += line.str() == words;
  }
  return found;
}

// Those that are not gone after a moment.
int left_over(const std::string& name) {
  for (int i = 0; i < 50 && running(name) > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return running(name);
}

void expect(const std::string& name, Ending ending, Reason reason, Limits limits) {
  SCOPED_TRACE(name);
  const Verdict v = judge(run_misbehaviour(name, limits));
  EXPECT_EQ(v.ending, ending) << v.printed;
  EXPECT_EQ(v.shown ? v.shown->reason : Reason::none, reason) << v.printed;
  EXPECT_EQ(left_over(name), 0);
}
void expect(const std::string& name, Ending ending, Reason reason = Reason::none) {
  expect(name, ending, reason, limits_for(false));
}

Limits shorter() {
  Limits limits = limits_for(false);
  limits.seconds = 0.5;
  return limits;
}

double seconds_of(const std::string& name, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const Verdict v = judge(run_misbehaviour(name, limits));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(v.ending, Ending::timed_out) << name;
  EXPECT_TRUE(v.shown && v.shown->input == "1") << name;  // the check that was under way
  EXPECT_EQ(left_over(name), 0) << name;
  return took.count();
}

TEST(Misbehaviour, WhatWaitsIsStoppedByTheClock) {
  for (const char* name : {"loops", "sleeps", "stops", "ignores_signals", "closes_and_sleeps"}) {
    const double took = seconds_of(name, shorter());
    EXPECT_GE(took, 0.49) << name;
    EXPECT_LE(took, 3.0) << name;  // of a machine that has much else to do
  }
}

TEST(Misbehaviour, WhatComputesIsStoppedByProcessorTime) {
  Limits limits = limits_for(false);
  limits.processor_seconds = 1;
  limits.seconds = 60;
  EXPECT_LE(seconds_of("loops", limits), 30);
  EXPECT_LE(seconds_of("ignores_signals", limits), 30);  // SIGXCPU too
}

TEST(Misbehaviour, TooMuchIsStopped) {
  expect("prints", Ending::failed, Reason::printed_too_much);
  expect("fills_the_channel", Ending::failed, Reason::printed_too_much);
  expect("allocates", Ending::failed, Reason::out_of_memory);
  expect("asks_for_too_much", sanitized ? Ending::crashed : Ending::failed,
         sanitized ? Reason::none : Reason::out_of_memory);
  expect("writes_a_large_file", Ending::crashed);
}

TEST(Misbehaviour, MemoryInUseIsLimitedWhereAddressesCannotBe) {
  Limits limits = limits_for(false);
  limits.memory = 0;
  limits.resident = std::int64_t{1} << 28;
  expect("allocates", Ending::failed, Reason::out_of_memory, limits);
}

TEST(Misbehaviour, LeavingEarlyIsNoPass) {
  for (const char* name : {"exits", "exits_at_once", "exits_quickly", "exits_with_77",
                           "becomes_another", "closes_everything"})
    expect(name, Ending::failed, Reason::left_early);
  EXPECT_EQ(judge(run_misbehaviour("exits_with_77")).shown->what, "77");
}

TEST(Misbehaviour, NothingSpeaksForTheGrader) {
  expect("prints_a_verdict", Ending::failed);
  expect("prints_at_exit", Ending::failed);
  EXPECT_EQ(judge(run_misbehaviour("prints_a_verdict")).passed, 0);
  expect("writes_into_the_channel", Ending::failed, Reason::strange_words);
  expect("writes_half_a_line", Ending::failed, Reason::strange_words);
}

TEST(Misbehaviour, CrashesAreTold) {
  for (const char* name : {"aborts", "past_a_vector", "past_the_heap", "past_the_stack",
                           "null_pointer", "calls_itself", "throws_where_forbidden"})
    expect(name, Ending::crashed);
  EXPECT_EQ(judge(run_misbehaviour("aborts")).signal, SIGABRT);
  EXPECT_EQ(judge(run_misbehaviour("null_pointer")).signal, sanitized ? SIGABRT : SIGSEGV);
#ifdef __x86_64__
  expect("divides_by_zero", Ending::crashed);
#endif
}

TEST(Misbehaviour, WhatIsThrownIsTold) {
  expect("throws_int", Ending::failed, Reason::threw);
  expect("throws_error", Ending::failed, Reason::threw);
  expect("throws_bad_alloc", Ending::failed, Reason::out_of_memory);
  expect("undone_later", Ending::failed, Reason::reached_stub);
  const Verdict v = judge(run_misbehaviour("throws_error"));
  EXPECT_EQ(v.checks, 3);  // one that throws keeps none of the others from being made
  EXPECT_EQ(v.shown->what, "std::runtime_error: tab\there, \"quoted\",\nand a second line");
  EXPECT_EQ(judge(run_misbehaviour("undone_later")).shown->input, "2");
}

TEST(Misbehaviour, ProcessesEndWithTheProgram) {
  expect("forks", Ending::passed);
  run_misbehaviour("forks_and_goes_on");  // its verdict is that of whoever comes first
  EXPECT_EQ(left_over("forks_and_goes_on"), 0);
}

TEST(Misbehaviour, ThreadsEndWithTheProgram) {
  expect("leaves_a_thread", Ending::passed);
  expect("forgets_a_thread", Ending::crashed);
}

TEST(Misbehaviour, HarmlessOddities) {
  expect("reads_input", Ending::passed);
  expect("loops_at_exit", Ending::passed);  // nothing is done at exit
  expect("rounds_up", Ending::passed);      // the next right value is not rounded so
}

TEST(Misbehaviour, WhatIsShownBelongsToTheShownCall) {
  const auto printed = [](const std::string& name) {
    return judge(run_misbehaviour(name, shorter())).printed;
  };
  EXPECT_EQ(printed("prints_and_is_wrong"), "call 1 ends");
  EXPECT_EQ(printed("prints_and_waits"), "call 2 ");
  EXPECT_EQ(printed("buffers_and_is_wrong"), "call 1");
  EXPECT_TRUE(printed("prints_and_aborts").starts_with("call 2 "));  // a stack may follow
  EXPECT_EQ(printed("closes_output"), "call 2 without output");
  expect("closes_output", Ending::failed, Reason::threw);
}

TEST(Misbehaviour, AProgramThatIsNotThereIsNoPass) {
  const auto run = run_exercise({"/nowhere/at/all"}, limits_for(false));
  EXPECT_EQ(run.exit_code, 127);
  EXPECT_NE(run.printed.find("No such file"), std::string::npos);
  EXPECT_EQ(judge(run).ending, Ending::failed);
}

}  // namespace
}  // namespace napkin::exercises
