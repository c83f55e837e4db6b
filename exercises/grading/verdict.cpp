#include "exercises/grading/verdict.h"

#include <algorithm>
#include <span>

namespace napkin::exercises {
namespace {

// What the checks said of one mistake.
struct Tally {
  std::string mistake;
  int explained = 0;             // failed checks with the value that it gives
  int telling = 0, gave_it = 0;  // checks where it would have been noticed; there it was so
};

// The checks as the channel told of them.
struct Story {
  int begun = 0, passed = 0, undone = 0;
  bool first_undone = false;  // not_done_yet on the first input
  bool in_order = true;       // begin, outcome, begin, outcome ..., end
  bool ended = false;
  std::string stub;
  std::vector<Failure> failures;
  std::vector<Tally> tallies;
  int values = 0;   // failed checks that gave a value
  Failure current;  // begun, without an outcome so far
  bool open = false;
};

void fail_with(Story& story, Reason reason, const std::string& what) {
  Failure failure = story.current;
  failure.reason = reason;
  failure.what = what;
  story.failures.push_back(failure);
}

// Counts the marks "+KEY" and "-KEY" of a check; returns the keys with a plus.
std::vector<std::string> take_marks(Story& story, std::span<const std::string> marks, bool failed) {
  std::vector<std::string> given;
  for (const std::string& mark : marks) {
    const std::string mistake = mark.substr(std::min<std::size_t>(1, mark.size()));
    const bool gives_this = mark.starts_with('+');
    auto tally = std::find_if(story.tallies.begin(), story.tallies.end(),
                              [&](const Tally& t) { return t.mistake == mistake; });
    if (tally == story.tallies.end()) tally = story.tallies.insert(tally, {mistake});
    ++tally->telling;
    if (!gives_this) continue;
    ++tally->gave_it;
    if (failed) ++tally->explained;
    given.push_back(mistake);
  }
  return given;
}

void take_outcome(Story& story, const std::string& kind, std::span<const std::string> fields) {
  const auto field = [&](std::size_t i) { return i < fields.size() ? fields[i] : std::string(); };
  story.in_order = story.in_order && story.open;
  story.open = false;
  if (kind == "passed") {
    ++story.passed;
    take_marks(story, fields, false);
  } else if (kind == "failed") {
    Failure failure = story.current;
    failure.got = field(0);
    failure.place = field(1);
    failure.here = field(2);
    failure.right_here = field(3);
    failure.mistakes =
        take_marks(story, fields.subspan(std::min<std::size_t>(4, fields.size())), true);
    ++story.values;
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
      story.current = {};
      story.current.input = field(1);
      story.current.right = field(2);
      story.current.check = story.begun;
    } else if (field(0) == "end") {
      story.in_order = story.in_order && !story.open && field(1) == std::to_string(story.begun);
      story.ended = true;
    } else {
      take_outcome(story, field(0), std::span(event).subspan(1));
    }
  }
  return story;
}

// The mistake that explains the most failed checks. It must explain three quarters of those that
// gave a value, and of the checks where it would have been noticed three quarters must have noticed
// it: fewer are chance. Of equals the one named first.
std::string likeliest_mistake(const Story& story) {
  const auto most = [](int part, int whole) { return part > 0 && 4 * part >= 3 * whole; };
  const Tally* likeliest = nullptr;
  for (const Tally& tally : story.tallies) {
    if (!most(tally.explained, story.values) || !most(tally.gave_it, tally.telling)) continue;
    if (likeliest == nullptr || tally.explained > likeliest->explained) likeliest = &tally;
  }
  return likeliest == nullptr ? "" : likeliest->mistake;
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
  if (run.stopped == Stopped::took_too_long) {
    // What failed before for a reason of its own may be why the time was up.
    for (const Failure& earlier : story.failures)
      if (earlier.reason != Reason::none)
        return with_failure(verdict, Ending::failed, earlier, Reason::none);
    return with_failure(verdict, Ending::timed_out, story.current, Reason::none);
  }
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

Verdict judged(const Run& run) {
  const Story story = read_story(run);
  Verdict verdict;
  verdict.checks = story.begun;
  verdict.passed = story.passed;
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
  verdict.mistake = likeliest_mistake(story);
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

// During the check that is shown, and before the first, where nothing tells whose it is.
std::string printed_during(const Run& run, const std::optional<Failure>& shown) {
  if (!shown || run.printed_during.empty()) return run.printed;
  const auto check = static_cast<std::size_t>(shown->check);
  const bool known = check > 0 && check < run.printed_during.size();
  return run.printed_during[0] + (known ? run.printed_during[check] : "");
}

}  // namespace

Verdict judge(const Run& run) {
  Verdict verdict = judged(run);
  verdict.printed = printed_during(run, verdict.shown);
  return verdict;
}

}  // namespace napkin::exercises
