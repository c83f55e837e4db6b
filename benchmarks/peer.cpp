#include "benchmarks/peer.h"

#include <fmt/core.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <limits>

namespace napkin::samples {

Peer::Peer(int threads) {
  const char* named = std::getenv("NAPKIN_PYTHON");
  const char* python = named != nullptr ? named : "python3";
  const std::string count = std::to_string(threads);
  int there[2], back[2];
  if (pipe2(there, O_CLOEXEC) != 0) return;
  if (pipe2(back, O_CLOEXEC) != 0) return;
  std::signal(SIGPIPE, SIG_IGN);  // a peer that ends is noticed by what it does not say
  process_ = fork();
  if (process_ == 0) {
    dup2(there[0], 0);
    dup2(back[1], 1);
    dup2(open("/dev/null", O_WRONLY), 2);
    execlp(python, python, NAPKIN_SOURCE "/reference/speed.py", count.c_str(), nullptr);
    _exit(127);
  }
  close(there[0]);
  close(back[1]);
  to_ = fdopen(there[1], "w");
  from_ = fdopen(back[0], "r");
  const std::string greeting = line();
  if (!greeting.starts_with("PyTorch")) {
    std::fclose(to_);
    to_ = nullptr;
    return;
  }
  description_ = greeting;
}

Peer::~Peer() {
  if (to_ != nullptr) std::fclose(to_);
  if (from_ != nullptr) std::fclose(from_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

std::string Peer::line() {
  std::string text;
  for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_))
    text += static_cast<char>(c);
  return text;
}

double Peer::seconds(std::string_view operation, std::string_view dtype, std::string_view device,
                     Size size) {
  if (!answers()) return std::numeric_limits<double>::infinity();
  fmt::print(to_, "{} {} {} {} {}\n", operation, dtype, device, size.rows, size.columns);
  std::fflush(to_);
  const std::string answer = line();  // "nan" or nothing: it has no such operation
  return answer.empty() ? std::numeric_limits<double>::infinity()
                        : std::strtod(answer.c_str(), nullptr);
}

}  // namespace napkin::samples
