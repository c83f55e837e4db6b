// A team of threads that lives as long as the program. It is our own rather than OpenMP's for two
// reasons: the caller never waits for a thread that has not begun (on a busy machine that is a time
// slice, 4 ms, for a loop of 8 us), and a thread that cannot be made is no end of the program.
#include "common/core/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "common/core/error.h"
#include "common/core/machine.h"

namespace napkin {
namespace {

thread_local bool inside_a_loop = false;

// A loop cut into one part per thread. Whoever comes takes the next part.
struct Loop {
  std::int64_t count, grain, pieces;
  int parts;
  detail::RangeBody body;
  void* context;

  void run(std::int64_t part) const {
    const std::int64_t first = pieces * part / parts * grain;
    const std::int64_t last = std::min(count, pieces * (part + 1) / parts * grain);
    if (first < last) body(context, first, last);
  }
};

class Team {
 public:
  // Makes it so many threads with the caller's, or as many as the system lets it; returns them.
  int grow(int threads) {
    const std::lock_guard one_user(user_);
    try {
      for (; helpers_ + 1 < threads; ++helpers_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {  // no memory or no right for one more
    }
    return helpers_ + 1;
  }

  // False, with nothing done, where there are no helpers or another thread is running a loop.
  bool run(const Loop& loop) {
    const std::unique_lock one_user(user_, std::try_to_lock);
    if (!one_user || helpers_ == 0) return false;
    {
      const std::lock_guard lock(mutex_);
      loop_ = &loop;
      next_ = 0;
      calls_.fetch_add(1, std::memory_order_release);
    }
    if (loop.parts > helpers_) wake_.notify_all();
    for (int wanted = loop.parts; wanted > 1 && loop.parts <= helpers_; --wanted)
      wake_.notify_one();
    inside_a_loop = true;
    take_parts(loop);
    inside_a_loop = false;
    wait_for_helpers();
    if (first_exception_) std::rethrow_exception(std::exchange(first_exception_, nullptr));
    return true;
  }

 private:
  static constexpr std::chrono::microseconds patience{20};  // watching before sleeping

  void take_parts(const Loop& loop) {
    for (int part = next_.fetch_add(1); part < loop.parts; part = next_.fetch_add(1)) {
      try {
        loop.run(part);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!first_exception_) first_exception_ = std::current_exception();
      }
    }
  }

  void help() {
    inside_a_loop = true;
    for (std::uint64_t seen = 0;;) {
      watch([&] { return calls_.load(std::memory_order_acquire) != seen; });
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return calls_.load() != seen; });
      seen = calls_.load();
      if (loop_ == nullptr || next_.load() >= loop_->parts) continue;  // came too late
      const Loop& loop = *loop_;
      helping_.fetch_add(1);
      lock.unlock();
      take_parts(loop);
      lock.lock();
      if (helping_.fetch_sub(1) == 1) over_.notify_one();
    }
  }

  // After this no helper knows the loop any more.
  void wait_for_helpers() {
    watch([&] { return helping_.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex_);
    loop_ = nullptr;
    over_.wait(lock, [&] { return helping_.load() == 0; });
  }

  template <class Condition>
  static void watch(Condition&& holds) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!holds() && std::chrono::steady_clock::now() < end) {
    }
  }

  std::mutex user_, mutex_;  // user_: of who runs a loop; mutex_: of what the helpers see
  std::condition_variable wake_, over_;
  int helpers_ = 0;
  const Loop* loop_ = nullptr;  // in progress
  std::exception_ptr first_exception_;
  std::atomic<int> next_ = 0, helping_ = 0;
  std::atomic<std::uint64_t> calls_ = 0;
};

// Never destroyed: its threads sleep in it until the process ends. A forked process has none of
// them, and gets a team of its own.
Team* the_team = nullptr;
void new_team() { the_team = new Team; }

Team& team() {
  static const int registered = (new_team(), pthread_atfork(nullptr, nullptr, new_team));
  static_cast<void>(registered);
  return *the_team;
}

int& thread_count() {
  static int count = team().grow(allowed_processors());
  return count;
}

}  // namespace

int threads() { return thread_count(); }

void set_threads(int count) {
  check(count >= 1 && count <= 1024, "{} threads: 1 to 1024 are allowed", count);
  check(!inside_a_loop, "{} threads: not to be changed inside a parallel loop", count);
  const int made = team().grow(count);
  check(made >= count, "only {} threads can be made here, not {}", made, count);
  thread_count() = count;
}

void detail::parallel_for(std::int64_t count, std::int64_t grain, RangeBody body, void* context) {
  if (count <= 0) return;
  grain = std::max<std::int64_t>(grain, 1);
  const std::int64_t pieces = (count - 1) / grain + 1;
  const int parts = static_cast<int>(std::min<std::int64_t>(threads(), pieces));
  if (parts > 1 && !inside_a_loop && team().run({count, grain, pieces, parts, body, context}))
    return;
  body(context, 0, count);
}

}  // namespace napkin
