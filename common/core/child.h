// Other programs as child processes: started without a shell, what they print kept, stopped where
// they go beyond what they may.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace napkin {

// What a child may take; 0: no limit.
struct ChildLimits {
  double seconds = 0;          // of the clock
  int processor_seconds = 0;   // spent computing
  std::int64_t memory = 0;     // bytes of address space
  std::int64_t resident = 0;   // bytes in use, looked at now and then
  std::int64_t file = 0;       // bytes of each file that it writes; beyond them SIGXFSZ ends it
  std::int64_t printed = 0;    // bytes on standard output and error together
  std::int64_t reported = 0;   // bytes down a pipe of its own; 0: there is no such pipe
  std::size_t kept = 1 << 16;  // of what it printed so many of the last bytes, or some more
  // Without input, in a process group that ends with it, without a dump; it dies with us.
  bool alone = false;
  // In the child before the program starts, with the writing end of its own pipe. Must not hang in
  // a forked process.
  std::function<void(int)> prepare = {};
};

enum class Stopped { no, took_too_long, took_too_much_memory, printed_too_much };

struct Ended {
  int exit_code = 0;
  int signal = 0;      // that ended it, else 0
  std::string output;  // standard output and error together
  std::string report;  // what came down its own pipe
  Stopped stopped = Stopped::no;
};

// Runs a program until it ends or is stopped. `words` are the program and its arguments. Refuses
// (napkin::Error) only what keeps a process from being made: a program that does not exist ends
// with exit code 127.
Ended run_child(const std::vector<std::string>& words, const ChildLimits& limits);

// The same without limits.
Ended run_program(const std::vector<std::string>& words, std::size_t kept = 1 << 16);

}  // namespace napkin
