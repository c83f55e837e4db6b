#include "common/lecture/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/core/error.h"

namespace napkin::lecture {
namespace {

[[noreturn]] void become(char* const* argv, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvp(argv[0], argv);
  std::fprintf(stderr, "%s: %s\n", argv[0], std::strerror(errno));
  _exit(127);
}

std::string read_to_end(int file, std::size_t kept) {
  std::string text;
  std::array<char, 4096> piece;
  for (;;) {
    const ssize_t got = read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > 2 * kept) text.erase(0, text.size() - kept);
  }
}

}  // namespace

Ended run_program(const std::vector<std::string>& words, std::size_t kept) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  check(pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe: {}", std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  check(child >= 0, "no process: {}", std::strerror(errno));
  if (child == 0) become(argv.data(), ends[1]);
  close(ends[1]);
  Ended ended;
  ended.output = read_to_end(ends[0], kept);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

}  // namespace napkin::lecture
