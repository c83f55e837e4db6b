// Runs another program and keeps what it printed.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace napkin::lecture {

struct Ended {
  int exit_code = 0;
  int signal = 0;      // that ended it, else 0
  std::string output;  // the last bytes of stdout and stderr together
};

// `words` are the program and its arguments; no shell reads them. Refuses (napkin::Error) only what
// keeps a process from being made: a program that does not exist ends with exit code 127.
// `kept` bytes of the output are kept, or some more.
Ended run_program(const std::vector<std::string>& words, std::size_t kept = 1 << 16);

}  // namespace napkin::lecture
