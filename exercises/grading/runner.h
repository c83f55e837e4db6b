// Runs an exercise's program so that a mistake does no harm: it may not run for ever, print for
// ever or take all memory, and what it prints is no verdict.
#pragma once
#include <string>
#include <vector>

#include "common/core/child.h"

namespace napkin::exercises {

using Limits = ChildLimits;

// Of an answer. sanitized: of a program with sanitizers, as all are in a build with them: they
// reserve terabytes of addresses, so that only memory in use can be limited.
Limits limits_for(bool sanitized);

// What became of one run.
struct Run {
  std::vector<std::vector<std::string>> events;  // what came down the channel (channel.h)
  bool strange_words = false;               // something came down it that our code did not write
  std::string printed;                      // by the answer
  std::vector<std::string> printed_during;  // each check, from 1; 0: before the first
  Stopped stopped = Stopped::no;
  int exit_code = 0;
  int signal = 0;  // that ended it, else 0
};

// words: the program and its arguments; no shell reads them. Refuses (napkin::Error) only what
// keeps a process from being made.
Run run_exercise(const std::vector<std::string>& words, const Limits& limits);

}  // namespace napkin::exercises
