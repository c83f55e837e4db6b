// From what became of a run to the line that a learner reads.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "exercises/grading/runner.h"

namespace napkin::exercises {

enum class Ending { passed, not_done, failed, does_not_compile, timed_out, crashed };

// Why there is no comparison to show, where an answer failed otherwise than by a wrong value.
enum class Reason {
  none,
  threw,  // what: its type and sentence
  out_of_memory,
  reached_stub,   // not_done_yet on a later input: done in part
  left_early,     // exit() or the like: what is the exit code
  strange_words,  // wrote into the grader's channel
  printed_too_much,
};

// One check that failed.
struct Failure {
  std::string input, right, got;
  // In a tensor: the first place that differs, "dtype" being one, and the two values there.
  std::string place, here, right_here;
  std::vector<std::string> mistakes;  // names of the mistakes that would give this answer
  Reason reason = Reason::none;       // then there is no `got`
  std::string what;
  int check = 0;  // its number, from 1
};

// Why there is no program.
struct Fault {
  std::string reason;                 // one sentence, where the messages alone would not help
  std::vector<std::string> compiler;  // its first messages
};

struct Verdict {
  Ending ending = Ending::failed;
  int checks = 0, passed = 0;
  // What to show: a check that failed, of those explained by `mistake` the first; or the check that
  // was under way.
  std::optional<Failure> shown;
  std::string mistake;  // the usual mistake that explains the answers, or ""
  std::string stub;     // not_done: the exercise that the stub named
  int signal = 0;       // crashed
  std::string printed;  // by the answer, during the check that is shown
  Fault fault;          // does_not_compile
};

Verdict judge(const Run& run);

}  // namespace napkin::exercises
