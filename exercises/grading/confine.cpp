#include "exercises/grading/confine.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

namespace napkin::exercises {
namespace {

constexpr std::int64_t largest_file = 1 << 24;  // bytes that an answer may write to a file

void limit(int what, std::int64_t value) {
  // The hard limit of processor time kills without saying why: one second later than the soft one.
  const rlim_t soft = static_cast<rlim_t>(value), hard = what == RLIMIT_CPU ? soft + 1 : soft;
  const rlimit both{soft, hard};
  setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

// Threads may be made, processes not, and none but itself may be ended: a limit of processes binds
// no root, and forbids threads too. False where the kernel has no such filters.
bool leave_processes_alone() {
  constexpr auto number = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
  constexpr auto first = static_cast<std::uint32_t>(offsetof(seccomp_data, args));  // its low half
  constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EAGAIN;
  constexpr std::uint32_t forbidden = SECCOMP_RET_ERRNO | EPERM;
  // clone3 hides its flags from filters; without it the C library calls clone.
  constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, unknown),
#ifdef __NR_fork
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fork, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_vfork, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, refused),
#endif
      // kill(-1, ...) of root would end everything; of itself an answer may make an end.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_kill, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(getpid()), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, forbidden),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, refused),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

void confine(const Limits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.processor_seconds);
  limit(RLIMIT_FSIZE, largest_file);
  if (limits.memory > 0) limit(RLIMIT_AS, limits.memory);
  if (!leave_processes_alone()) limit(RLIMIT_NPROC, 0);
  // An exit code would look as if the answer had called exit. Whoever aborts, a failed assertion
  // for one, is told with the lines that led there.
  setenv("ASAN_OPTIONS", "abort_on_error=1:handle_abort=1:detect_leaks=0:print_legend=0", 1);
  setenv("UBSAN_OPTIONS", "abort_on_error=1", 1);
}

}  // namespace napkin::exercises
