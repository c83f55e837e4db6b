#include "common/core/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

#include "common/core/error.h"

namespace napkin {
namespace {

using Clock = std::chrono::steady_clock;

// A pipe from the child, and what came down it.
class Pipe {
 public:
  Pipe() {
    check(pipe2(ends_.data(), O_CLOEXEC) == 0, "no pipe: {}", std::strerror(errno));
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    close(ends_[0]);
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int write() const { return ends_[1]; }
  void close_write() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  // For poll, which passes over -1.
  int open_end() const { return open_ ? ends_[0] : -1; }

  // Reads what is there until it is more than `most`. Keeps the last bytes.
  void take(std::int64_t most, std::size_t kept) {
    std::array<char, 1 << 16> piece;
    // Not for ever, where more comes than can be read.
    for (int pieces = 0; pieces < 64 && open_ && total <= most; ++pieces) {
      const ssize_t got = read(ends_[0], piece.data(), piece.size());
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
      open_ = got > 0;
      if (!open_) return;
      total += got;
      text.append(piece.data(), static_cast<std::size_t>(got));
      if (text.size() / 2 > kept) text.erase(0, text.size() - kept);
    }
  }

  std::int64_t total = 0;  // bytes
  std::string text;

 private:
  std::array<int, 2> ends_{};
  bool open_ = true;
};

void set_limit(int what, std::int64_t value) {
  if (value == 0) return;
  // The hard limit of processor time kills without saying why: one second later than the soft one.
  const rlim_t soft = static_cast<rlim_t>(value), hard = what == RLIMIT_CPU ? soft + 1 : soft;
  const rlimit both{soft, hard};
  setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

void be_alone() {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  const rlimit no_dump{0, 0};
  setrlimit(RLIMIT_CORE, &no_dump);
}

[[noreturn]] void become(char* const* argv, const Pipe& output, const Pipe& report,
                         const ChildLimits& limits) {
  if (limits.alone) be_alone();
  dup2(output.write(), STDOUT_FILENO);
  dup2(output.write(), STDERR_FILENO);
  if (limits.reported > 0) fcntl(report.write(), F_SETFD, 0);
  set_limit(RLIMIT_CPU, limits.processor_seconds);
  set_limit(RLIMIT_FSIZE, limits.file);
  set_limit(RLIMIT_AS, limits.memory);
  if (limits.prepare) limits.prepare(report.write());
  execvp(argv[0], argv);
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], std::strerror(errno));
  _exit(127);
}

class Child {
 public:
  Child(const std::vector<std::string>& words, const ChildLimits& limits) : limits_(limits) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    id_ = fork();
    check(id_ >= 0, "no process can be made: {}", std::strerror(errno));
    if (id_ == 0) become(argv.data(), output_, report_, limits_);
    if (limits_.alone) setpgid(id_, id_);  // whoever of the two comes first
    output_.close_write();
    report_.close_write();
  }

  Ended run() {
    Ended ended;
    ended.stopped = wait();
    if (limits_.alone) kill(-id_, SIGKILL);  // also what it may have started
    if (ended.stopped != Stopped::no) kill(id_, SIGKILL);
    int status = 0;
    rusage used{};
    while (wait4(id_, &status, 0, &used) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    // SIGXCPU comes at the limit; where that is ignored, SIGKILL a second later.
    const auto computed = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
    const bool killed = ended.signal == SIGKILL && ended.stopped == Stopped::no;
    if (limits_.processor_seconds > 0 &&
        (ended.signal == SIGXCPU || (killed && computed >= limits_.processor_seconds)))
      ended.stopped = Stopped::took_too_long;
    ended.output = std::move(output_.text);
    ended.report = std::move(report_.text);
    return ended;
  }

 private:
  // Until it has ended or is to be stopped.
  Stopped wait() {
    for (;;) {
      const bool ended = has_ended();  // before the last look at what it wrote
      if (read_both()) return Stopped::printed_too_much;
      if (ended) return Stopped::no;
      const int left = milliseconds_left();
      if (left == 0) return Stopped::took_too_long;
      if (limits_.resident > 0 && resident() > limits_.resident)
        return Stopped::took_too_much_memory;
      std::array<pollfd, 2> ends{
          {{output_.open_end(), POLLIN, 0}, {report_.open_end(), POLLIN, 0}}};
      const bool open = ends[0].fd >= 0 || ends[1].fd >= 0;
      // Of its end the pipes tell, but another process may hold them.
      poll(ends.data(), ends.size(), std::min(open ? 50 : 2, left));
    }
  }

  bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == id_;
  }

  // Bytes of memory that it holds; the second number of statm, in pages.
  std::int64_t resident() const {
    std::ifstream statm(fmt::format("/proc/{}/statm", id_));
    std::int64_t addresses = 0, pages = 0;
    statm >> addresses >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  }

  // Whether it is too much.
  bool read_both() {
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
    const std::int64_t most = limits_.printed > 0 ? limits_.printed : any;
    output_.take(most, limits_.kept);
    report_.take(limits_.reported, static_cast<std::size_t>(limits_.reported));
    return output_.total > most || report_.total > limits_.reported;
  }

  int milliseconds_left() const {
    if (limits_.seconds <= 0) return std::numeric_limits<int>::max();
    const std::chrono::duration<double, std::milli> spent = Clock::now() - begin_;
    return static_cast<int>(std::max(0.0, limits_.seconds * 1000 - spent.count()));
  }

  const ChildLimits& limits_;
  const Clock::time_point begin_ = Clock::now();
  Pipe output_, report_;
  pid_t id_ = -1;
};

}  // namespace

Ended run_child(const std::vector<std::string>& words, const ChildLimits& limits) {
  return Child(words, limits).run();
}

Ended run_program(const std::vector<std::string>& words, std::size_t kept) {
  ChildLimits limits;
  limits.kept = kept;
  return run_child(words, limits);
}

}  // namespace napkin
