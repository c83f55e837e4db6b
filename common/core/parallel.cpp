#include "common/core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "common/core/error.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace napkin {
namespace {

int allowed_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int& thread_count() {
  static int count = allowed_processors();
  return count;
}

#ifdef _OPENMP
// The first exception of several threads, kept until all of them have ended.
class FirstException {
 public:
  void keep_current() {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::current_exception();
  }
  void rethrow_if_any() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};
#endif

}  // namespace

int threads() { return thread_count(); }

void set_threads(int count) {
  check(count >= 1 && count <= 1024, "{} threads: 1 to 1024 are allowed", count);
  thread_count() = count;
}

void detail::parallel_for(std::int64_t count, std::int64_t grain, RangeBody body, void* context) {
  if (count <= 0) return;
  grain = std::max<std::int64_t>(grain, 1);
  const std::int64_t pieces = (count - 1) / grain + 1;
  const int team = static_cast<int>(std::min<std::int64_t>(threads(), pieces));
#ifdef _OPENMP
  if (team > 1 && !omp_in_parallel()) {
    FirstException exception;
#pragma omp parallel num_threads(team)
    {
      const std::int64_t t = omp_get_thread_num(), n = omp_get_num_threads();
      const std::int64_t first = pieces * t / n * grain;
      const std::int64_t last = std::min(count, pieces * (t + 1) / n * grain);
      try {
        if (first < last) body(context, first, last);
      } catch (...) {
        exception.keep_current();
      }
    }
    exception.rethrow_if_any();
    return;
  }
#endif
  static_cast<void>(team);
  body(context, 0, count);
}

}  // namespace napkin
