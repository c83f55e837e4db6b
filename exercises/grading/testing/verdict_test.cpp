// Verdicts on runs made by hand.
#include "exercises/grading/verdict.h"

#include <gtest/gtest.h>

#include <csignal>

namespace napkin::exercises {
namespace {

using Fields = std::vector<std::string>;

// begin, outcome, begin, outcome ..., end.
Run told(const std::vector<Fields>& outcomes) {
  exercises::Run run;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    run.events.push_back({"begin", "input " + std::to_string(i), "right"});
    run.events.push_back(outcomes[i]);
  }
  run.events.push_back({"end", std::to_string(outcomes.size())});
  return run;
}

void expect(const exercises::Run& run, Ending ending, Reason reason = Reason::none) {
  const Verdict v = judge(run);
  EXPECT_EQ(v.ending, ending);
  EXPECT_EQ(v.shown ? v.shown->reason : Reason::none, reason);
}

const Fields passed = {"passed"}, undone = {"undone", "99_frame/twice"};
Fields wrong(const Fields& mistakes) {
  Fields fields = {"failed", "got", "where"};
  fields.insert(fields.end(), mistakes.begin(), mistakes.end());
  return fields;
}

TEST(Verdict, AllChecksPassed) {
  const Verdict v = judge(told({passed, passed, passed}));
  EXPECT_EQ(v.ending, Ending::passed);
  EXPECT_EQ(v.checks, 3);
  EXPECT_EQ(v.passed, 3);
  EXPECT_FALSE(v.shown);
}

TEST(Verdict, OneWrongValueFails) {
  const Verdict v = judge(told({passed, wrong({}), passed}));
  EXPECT_EQ(v.ending, Ending::failed);
  EXPECT_EQ(v.passed, 2);
  ASSERT_TRUE(v.shown);
  EXPECT_EQ(v.shown->input, "input 1");
  EXPECT_EQ(v.shown->right, "right");
  EXPECT_EQ(v.shown->got, "got");
  EXPECT_EQ(v.shown->where, "where");
  EXPECT_EQ(v.shown->reason, Reason::none);
  EXPECT_EQ(v.mistake, "");
}

TEST(Verdict, AnUntouchedStubIsNotDone) {
  const Verdict v = judge(told({undone, undone, undone}));
  EXPECT_EQ(v.ending, Ending::not_done);
  EXPECT_EQ(v.stub, "99_frame/twice");
  expect(told({undone, passed, undone}), Ending::not_done);
  expect(told({undone, wrong({})}), Ending::failed);
}

TEST(Verdict, AStubReachedLaterIsAFailure) {
  expect(told({passed, undone}), Ending::failed, Reason::reached_stub);
  EXPECT_EQ(judge(told({passed, undone})).shown->input, "input 1");
}

TEST(Verdict, ExceptionsAreToldWithTheirInput) {
  expect(told({passed, {"threw", "std::runtime_error: no"}}), Ending::failed, Reason::threw);
  expect(told({{"threw", "memory"}}), Ending::failed, Reason::out_of_memory);
  EXPECT_EQ(judge(told({passed, {"threw", "x"}})).shown->what, "x");
}

TEST(Verdict, TheMistakeThatExplainsMostIsNamed) {
  const Verdict v = judge(told(
      {wrong({"rare"}), wrong({"usual", "rare"}), wrong({"usual"}), wrong({"usual"}), passed}));
  EXPECT_EQ(v.mistake, "usual");
  EXPECT_EQ(v.shown->input, "input 1");  // the first failure that it explains
  EXPECT_EQ(judge(told({wrong({"a", "b"}), wrong({"b", "a"})})).mistake, "a");  // named first
  EXPECT_EQ(judge(told({wrong({"a", "a", "a"}), wrong({"b"}), wrong({"b"})})).mistake, "b");
  EXPECT_EQ(judge(told({wrong({"a"}), wrong({})})).mistake, "a");            // half of them
  EXPECT_EQ(judge(told({wrong({"a"}), wrong({}), wrong({})})).mistake, "");  // fewer: chance
  EXPECT_EQ(judge(told({wrong({"a"}), wrong({}), wrong({})})).shown->input, "input 0");
}

TEST(Verdict, NoCheckIsNoPass) {
  expect(told({}), Ending::failed);
  expect({}, Ending::failed, Reason::left_early);
}

TEST(Verdict, WithoutTheEndItIsNoPass) {
  exercises::Run run = told({passed, passed});
  run.events.pop_back();
  expect(run, Ending::failed, Reason::left_early);
  run.events.pop_back();
  run.exit_code = 3;
  expect(run, Ending::failed, Reason::left_early);
  EXPECT_EQ(judge(run).shown->input, "input 1");
  EXPECT_EQ(judge(run).shown->what, "3");
}

TEST(Verdict, AnExitCodeAfterTheEndIsNoPass) {
  exercises::Run run = told({passed});
  run.exit_code = 1;
  expect(run, Ending::failed, Reason::left_early);
}

TEST(Verdict, OrderIsKept) {
  const Fields begin = {"begin", "1", "2"}, end = {"end", "1"};
  for (const std::vector<Fields>& events :
       std::vector<std::vector<Fields>>{{passed, end},                  // no check had begun
                                        {begin, passed, passed, end},   // two outcomes
                                        {begin, begin, passed, end},    // none for the first
                                        {begin, end},                   // none
                                        {begin, passed, {"end", "2"}},  // another count
                                        {begin, passed, {"end", ""}},
                                        {begin, passed, {"end"}},
                                        {begin, passed, end, end},
                                        {begin, passed, end, begin, passed},  // more after the end
                                        {begin, {"pass"}, end},               // no such word
                                        {begin, {""}, end}}) {
    exercises::Run run;
    run.events = events;
    expect(run, Ending::failed, Reason::strange_words);
  }
}

TEST(Verdict, StrangeWordsAreNoPass) {
  exercises::Run run = told({passed});
  run.strange_words = true;
  expect(run, Ending::failed, Reason::strange_words);
}

TEST(Verdict, HowItWasEndedComesFirst) {
  exercises::Run run = told({passed});
  run.signal = SIGSEGV;
  expect(run, Ending::crashed);
  EXPECT_EQ(judge(run).signal, SIGSEGV);
  run.strange_words = true;  // half a line of it
  expect(run, Ending::crashed);
  run.signal = SIGKILL;
  run.stopped = Stopped::took_too_long;
  expect(run, Ending::timed_out);
  run.stopped = Stopped::printed_too_much;
  expect(run, Ending::failed, Reason::printed_too_much);
  run.stopped = Stopped::took_too_much_memory;
  expect(run, Ending::failed, Reason::out_of_memory);
}

TEST(Verdict, FieldsMayBeMissing) {
  exercises::Run run;
  run.events = {
      {"begin"}, {"failed"}, {"begin"}, {"threw"}, {"end", "2"},
  };
  expect(run, Ending::failed);
  run.events = {{}};
  expect(run, Ending::failed, Reason::strange_words);
}

}  // namespace
}  // namespace napkin::exercises
