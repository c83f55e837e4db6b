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
Fields with(Fields fields, const Fields& marks) {
  fields.insert(fields.end(), marks.begin(), marks.end());
  return fields;
}
Fields wrong(const Fields& marks) { return with({"failed", "got", "(1)", "2", "3"}, marks); }
Fields good(const Fields& marks) { return with(passed, marks); }

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
  EXPECT_EQ(v.shown->place, "(1)");
  EXPECT_EQ(v.shown->here, "2");
  EXPECT_EQ(v.shown->right_here, "3");
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
  const Verdict v = judge(told({wrong({"+rare", "-usual"}), wrong({"+usual", "+rare"}),
                                wrong({"+usual"}), wrong({"+usual"}), passed}));
  EXPECT_EQ(v.mistake, "usual");
  EXPECT_EQ(v.shown->input, "input 1");  // the first failure that it explains
  EXPECT_EQ(judge(told({wrong({"+a", "+b"}), wrong({"+b", "+a"})})).mistake, "a");  // named first
}

TEST(Verdict, ThreeQuartersOfTheFailuresMustAgree) {
  const Fields a = wrong({"+a"}), other = wrong({"-a"}), nothing = wrong({});
  EXPECT_EQ(judge(told({nothing, a, a, a})).mistake, "a");
  EXPECT_EQ(judge(told({nothing, a, a, a})).shown->input, "input 1");
  EXPECT_EQ(judge(told({nothing, a, a})).mistake, "");
  EXPECT_EQ(judge(told({nothing, a, a})).shown->input, "input 0");
  EXPECT_EQ(judge(told({other, a, a})).mistake, "");
  // A failure without a value says nothing of the values.
  EXPECT_EQ(judge(told({{"threw", "x"}, {"threw", "x"}, a})).mistake, "a");
  EXPECT_EQ(judge(told({{"threw", "x"}})).mistake, "");
}

// A check that passed although the mistake would have failed it speaks against the mistake.
TEST(Verdict, AndThreeQuartersOfAllChecksThatTell) {
  const Fields a = wrong({"+a"}), against = good({"-a"});
  EXPECT_EQ(judge(told({a, a, a, against})).mistake, "a");
  EXPECT_EQ(judge(told({a, a, against})).mistake, "");
  EXPECT_EQ(judge(told({against, a, a})).shown->input, "input 1");
  EXPECT_EQ(judge(told({a, a, passed, passed, passed})).mistake, "a");  // there it goes unnoticed
  EXPECT_EQ(judge(told({a, a, good({"-b"}), good({"-b"})})).mistake, "a");
  EXPECT_EQ(judge(told({a, a, good({"+a"}), against})).mistake, "a");
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

// Time may be up because of what failed before.
TEST(Verdict, AnEarlierReasonIsShownInPlaceOfATimeout) {
  exercises::Run run = told({wrong({}), {"threw", "memory"}, {"threw", "x"}, passed});
  run.events.resize(run.events.size() - 2);  // the last is under way
  run.stopped = Stopped::took_too_long;
  expect(run, Ending::failed, Reason::out_of_memory);
  EXPECT_EQ(judge(run).shown->input, "input 1");
  run.events.erase(run.events.begin() + 2, run.events.end() - 1);  // none but a wrong value
  expect(run, Ending::timed_out);
}

TEST(Verdict, WhatIsShownIsWhatTheShownCheckPrinted) {
  exercises::Run run = told({passed, wrong({}), wrong({})});
  run.printed = "all";
  run.printed_during = {"before ", "first", "second", "third"};
  EXPECT_EQ(judge(run).printed, "before second");
  run.printed_during.resize(2);  // its mark did not come
  EXPECT_EQ(judge(run).printed, "before ");
  run.printed_during.clear();
  EXPECT_EQ(judge(run).printed, "all");
  run.printed_during = {"before ", "first", "second", "third"};
  run.stopped = Stopped::took_too_long;
  EXPECT_EQ(judge(run).printed, "before third");
  run = told({passed});
  run.printed = "all";
  run.printed_during = {"before ", "first"};
  EXPECT_EQ(judge(run).printed, "all");
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
