// Timing: the shortest of several runs, so that a busy machine disturbs least.
#pragma once
#include <algorithm>
#include <chrono>
#include <limits>

namespace napkin {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Keeps the compiler from removing work whose result is not used otherwise.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Seconds of one call of work: the shortest of `repeats` runs of `calls` calls each.
template <class Work>
double best_seconds(int repeats, int calls, Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) {
    const Stopwatch watch;
    for (int c = 0; c < calls; ++c) work();
    best = std::min(best, watch.seconds() / calls);
  }
  return best;
}

}  // namespace napkin
