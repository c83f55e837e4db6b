#include "exercises/grading/verdict.h"

#include <algorithm>
#include <map>
#include <span>

namespace napkin::exercises {
namespace {

// The checks as the channel told of them.
struct Story {
  int begun = 0, passed = 0, undone = 0;
  bool first_undone = false;  // not_done_yet on the first input
  bool in_order = true;       // begin, outcome, begin, outcome ..., end
  bool ended = false;
  std::string stub;
  std::vector<Failure> failures;
  Failure current;  // begun, without an outcome so far
  bool open = false;
};

void fail_with(Story& story, Reason reason, const std::string& what) {
  Failure failure = story.current;
  failure.reason = reason;
  failure.what = what;
  story.failures.push_back(failure);
}

void take_outcome(Story& story, const std::string& kind, std::span<const std::string> fields) {
  const auto field = [&](std::size_t i) { return i < fields.size() ? fields[i] : std::string(); };
  story.in_order = story.in_order && story.open;
  story.open = false;
  if (kind == "passed") {
    ++story.passed;
  } else if (kind == "failed") {
    Failure failure = story.current;
    failure.got = field(0);
    failure.where = field(1);
    for (std::size_t i = 2; i < fields.size(); ++i) failure.mistakes.push_back(fields[i]);
    story.failures.push_back(failure);
  } else if (kind == "threw") {
    const bool memory = field(0) == "memory";
    fail_with(story, memory ? Reason::out_of_memory : Reason::threw, field(0));
  } else if (kind == "undone") {
    ++story.undone;
    if (story.begun == 1) {
      story.first_undone = true;
      story.stub = field(0);
    } else if (!story.first_undone) {
      fail_with(story, Reason::reached_stub, field(0));
    }
  } else {
    story.in_order = false;
  }
}

Story read_story(const Run& run) {
  Story story;
  for (const std::vector<std::string>& event : run.events) {
    const auto field = [&](std::size_t i) { return i < event.size() ? event[i] : std::string(); };
    if (story.ended || event.empty()) story.in_order = false;
    if (event.empty()) continue;
    if (field(0) == "begin") {
      story.in_order = story.in_order && !story.open;
      story.open = true;
      ++story.begun;
      story.current = {field(1), field(2), {}, {}, {}, Reason::none, {}};
    } else if (field(0) == "end") {
      story.in_order = story.in_order && !story.open && field(1) == std::to_string(story.begun);
      story.ended = true;
    } else {
      take_outcome(story, field(0), std::span(event).subspan(1));
    }
  }
  return story;
}

// The mistake that explains the most failures, if it explains half of them: fewer are chance. Of
// equals the one named first.
std::string likeliest_mistake(const std::vector<Failure>& failures) {
  std::vector<std::string> names;
  std::map<std::string, int> times;
  for (const Failure& failure : failures) {
    std::vector<std::string> once = failure.mistakes;
    for (const std::string& name : once) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (const std::string& name : once) ++times[name];
  }
  const auto most = std::max_element(
      names.begin(), names.end(),
      [&](const std::string& a, const std::string& b) { return times[a] < times[b]; });
  const bool explains = most != names.end() && 2 * times[*most] >= std::ssize(failures);
  return explains ? *most : "";
}

Verdict with_failure(Verdict verdict, Ending ending, Failure shown, Reason reason,
                     std::string what = {}) {
  verdict.ending = ending;
  if (reason != Reason::none) {
    shown.reason = reason;
    shown.what = std::move(what);
  }
  verdict.shown = std::move(shown);
  return verdict;
}

// The ways to end that leave nothing to compare.
std::optional<Verdict> judge_ending(const Run& run, const Story& story, Verdict verdict) {
  if (run.stopped == Stopped::took_too_long)
    return with_failure(verdict, Ending::timed_out, story.current, Reason::none);
  if (run.stopped == Stopped::took_too_much_memory)
    return with_failure(verdict, Ending::failed, story.current, Reason::out_of_memory);
  if (run.stopped == Stopped::printed_too_much)
    return with_failure(verdict, Ending::failed, story.current, Reason::printed_too_much);
  if (run.signal != 0) {
    verdict.signal = run.signal;
    return with_failure(verdict, Ending::crashed, story.current, Reason::none);
  }
  if (run.strange_words || !story.in_order)
    return with_failure(verdict, Ending::failed, story.current, Reason::strange_words);
  if (!story.ended || run.exit_code != 0)
    return with_failure(verdict, Ending::failed, story.current, Reason::left_early,
                        std::to_string(run.exit_code));
  return std::nullopt;
}

}  // namespace

Verdict judge(const Run& run) {
  const Story story = read_story(run);
  Verdict verdict;
  verdict.checks = story.begun;
  verdict.passed = story.passed;
  verdict.printed = run.printed;
  if (const auto ended = judge_ending(run, story, verdict)) return *ended;
  if (story.first_undone && story.failures.empty()) {
    verdict.ending = Ending::not_done;
    verdict.stub = story.stub;
    return verdict;
  }
  if (story.begun > 0 && story.passed == story.begun) {
    verdict.ending = Ending::passed;
    return verdict;
  }
  if (story.failures.empty()) return verdict;  // no check at all
  verdict.mistake = likeliest_mistake(story.failures);
  verdict.shown = story.failures.front();
  for (const Failure& failure : story.failures) {
    const auto& m = failure.mistakes;
    if (verdict.mistake.empty() || std::find(m.begin(), m.end(), verdict.mistake) == m.end())
      continue;
    verdict.shown = failure;
    break;
  }
  return verdict;
}

}  // namespace napkin::exercises
