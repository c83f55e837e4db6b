#include "exercises/grading/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <random>

#include "common/core/error.h"
#include "exercises/grading/channel.h"
#include "exercises/grading/confine.h"
#include "exercises/grading/printed.h"

namespace napkin::exercises {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t longest_report = 1 << 22;  // bytes that the channel takes

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    check(pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe: {}", std::strerror(errno));
    read = ends[0];
    write = ends[1];
    fcntl(read, F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    close(read);
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
};

std::string fresh_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

[[noreturn]] void become(char* const* argv, const Pipe& output, const Pipe& channel,
                         const Limits& limits) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output.write, STDOUT_FILENO);
  dup2(output.write, STDERR_FILENO);
  fcntl(channel.write, F_SETFD, 0);
  confine(limits);
  execv(argv[0], argv);
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], std::strerror(errno));
  _exit(127);
}

// What is left of the clock, in milliseconds for poll.
int left(Clock::time_point deadline) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, ms.count()));
}

class Watch {
 public:
  Watch(pid_t child, const Pipe& output, const Pipe& channel, const Limits& limits)
      : child_(child), output_(output), channel_(channel), limits_(limits) {}

  // Until the program has ended or has been stopped.
  Stopped wait() {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limits_.seconds));
    for (;;) {
      read_both();
      if (printed_ > limits_.printed || reported_ > longest_report)
        return Stopped::printed_too_much;
      if (has_ended()) {
        read_both();
        return Stopped::no;
      }
      if (left(deadline) == 0) return Stopped::took_too_long;
      if (limits_.resident > 0 && resident() > limits_.resident)
        return Stopped::took_too_much_memory;
      // poll passes over -1, an end that is closed.
      std::array<pollfd, 2> ends{{{output_open_ ? output_.read : -1, POLLIN, 0},
                                  {channel_open_ ? channel_.read : -1, POLLIN, 0}}};
      const bool open = output_open_ || channel_open_;
      // Of its end the pipes tell, but another process may hold them.
      poll(ends.data(), ends.size(), std::min(open ? 50 : 2, left(deadline)));
    }
  }

  std::string report, printed;

 private:
  bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  // Bytes of memory that it holds; the second number of statm, in pages.
  std::int64_t resident() const {
    std::ifstream statm(fmt::format("/proc/{}/statm", child_));
    std::int64_t addresses = 0, pages = 0;
    statm >> addresses >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  }

  // Reads what is there.
  void read_both() {
    output_open_ = take(output_.read, printed_, limits_.printed,
                        [this](std::string_view piece) { printed += piece; });
    channel_open_ = take(channel_.read, reported_, longest_report,
                         [this](std::string_view piece) { report += piece; });
  }

  // Whether there may be more.
  template <class Keep>
  static bool take(int file, std::int64_t& total, std::int64_t most, Keep&& keep) {
    std::array<char, 1 << 16> piece;
    while (total <= most) {
      const ssize_t got = read(file, piece.data(), piece.size());
      if (got < 0) return errno == EAGAIN || errno == EINTR;
      if (got == 0) return false;
      total += got;
      keep(std::string_view(piece.data(), static_cast<std::size_t>(got)));
    }
    return true;
  }

  pid_t child_;
  const Pipe &output_, &channel_;
  const Limits& limits_;
  std::int64_t printed_ = 0, reported_ = 0;
  bool output_open_ = true, channel_open_ = true;
};

// The lines that begin with the nonce.
void read_report(std::string_view report, std::string_view nonce, Run& run) {
  while (!report.empty()) {
    const std::size_t end = report.find('\n');
    const std::string_view line = report.substr(0, end);
    report.remove_prefix(end == std::string_view::npos ? report.size() : end + 1);
    if (end == std::string_view::npos || !line.starts_with(nonce))
      run.strange_words = true;  // half a line too: its writer was stopped, or was not ours
    else
      run.events.push_back(read_fields(line.substr(nonce.size())));
  }
}

}  // namespace

Limits limits_for(bool sanitized) {
#ifdef NAPKIN_SANITIZE
  sanitized = true;
#endif
  Limits limits;
  if (sanitized) std::swap(limits.memory, limits.resident);
  return limits;
}

Run run_exercise(const std::vector<std::string>& words, const Limits& limits) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  Pipe output, channel;
  const std::string nonce = fresh_nonce();
  setenv(channel_variable, fmt::format("{} {}", channel.write, nonce).c_str(), 1);
  const pid_t child = fork();
  check(child >= 0, "no process can be made: {}", std::strerror(errno));
  if (child == 0) become(argv.data(), output, channel, limits);
  unsetenv(channel_variable);
  setpgid(child, child);  // whoever of the two comes first
  output.close_write();
  channel.close_write();

  Run run;
  Watch watch(child, output, channel, limits);
  run.stopped = watch.wait();
  kill(-child, SIGKILL);  // also what it may have started
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  // SIGXCPU comes at the limit; where that is ignored, SIGKILL a second later.
  const auto computed = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
  if (run.signal == SIGXCPU ||
      (run.signal == SIGKILL && run.stopped == Stopped::no && computed >= limits.processor_seconds))
    run.stopped = Stopped::took_too_long;
  Printed printed = sorted(watch.printed, nonce);
  run.printed = std::move(printed.all);
  run.printed_during = std::move(printed.during);
  read_report(watch.report, nonce + ' ', run);
  return run;
}

}  // namespace napkin::exercises
