// Seconds of work on the GPU, by its own clock: what lies in the stream between two marks, however
// early the program was done with asking for it.
//
//   gpu::Timer timer;
//   Tensor y = x * 2;
//   timer.seconds();      // waits for it
#pragma once
#include <algorithm>
#include <limits>

#include "common/gpu/stream.h"

struct CUevent_st;

namespace napkin::gpu {

class Timer {
 public:
  Timer();
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // From the start to the work given until now.
  double seconds();

 private:
  CUevent_st *start_ = nullptr, *stop_ = nullptr;
};

// Seconds of one call of work on the GPU: the shortest of `repeats` runs of `calls` calls each.
template <class Work>
double best_seconds(int repeats, int calls, Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) {
    Timer timer;
    for (int c = 0; c < calls; ++c) work();
    best = std::min(best, timer.seconds() / calls);
  }
  return best;
}

}  // namespace napkin::gpu
