// Runs an exercise's program where it can do no harm: it may not run for ever, print for ever, take
// all memory, or speak for us.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace napkin::exercises {

struct Limits {
  int processor_seconds = 5;                    // spent computing
  double seconds = 10;                          // of the clock, for an answer that waits
  std::int64_t memory = std::int64_t{1} << 30;  // bytes of address space; 0: no limit
  std::int64_t resident = 0;                    // bytes in use, looked at now and then; 0: no limit
  std::int64_t printed = std::int64_t{1} << 20;  // bytes on standard output and error together
};

// For a program with sanitizers, as all are in a build with them: they reserve terabytes of
// addresses, so that only memory in use can be limited.
Limits limits_for(bool sanitized);

enum class Stopped { no, took_too_long, took_too_much_memory, printed_too_much };

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

// words: the program and its arguments; no shell reads them. The program reads nothing (its input
// is empty), is a process group of its own that is gone when this returns, and dies with us.
// Refuses (napkin::Error) only what keeps a process from being made.
Run run_exercise(const std::vector<std::string>& words, const Limits& limits);

}  // namespace napkin::exercises
