// Kernels as plain C++: what one thread does is a function that the host can run, too.
//
// A kernel is a struct that holds its arguments and has
//   NAPKIN_HD void operator()(const Thread& at) const;
// or, where the threads of a block work together,
//   struct Shared { ... };               // at most 48 KiB, seen by the whole block
//   int phases() const;                  // all threads end one phase before the next begins
//   NAPKIN_HD void operator()(const Thread& at, Shared& shared, int phase) const;
// launch.cuh starts it on the GPU. run_on_host does the same work here, thread by thread, so that
// tests hold index arithmetic, tails and alignment to account on machines without a GPU.
#pragma once
#include <cstdint>
#include <memory>

#include "common/core/config.h"

namespace napkin::gpu {

// How many blocks of how many threads.
struct Grid {
  std::int64_t blocks = 0;
  int threads = 256;
};

// The place of a thread in the grid.
struct Thread {
  std::int64_t block;
  int index;  // in the block
  Grid grid;

  NAPKIN_HD std::int64_t number() const { return block * grid.threads + index; }
};

// The grid in which every thread has `per_thread` of the items; no blocks for no items. Refuses
// more than the 2^31 - 1 blocks that a launch may have.
Grid grid_for(std::int64_t items, int per_thread = 1, int threads = 256);

template <class Kernel>
concept HasPhases = requires { typename Kernel::Shared; };

// Every block, phase and thread, one after the other, on this machine.
template <class Kernel>
void run_on_host(const Kernel& kernel, const Grid& grid) {
  for (std::int64_t block = 0; block < grid.blocks; ++block)
    if constexpr (HasPhases<Kernel>) {
      const auto shared = std::make_unique<typename Kernel::Shared>();
      for (int phase = 0; phase < kernel.phases(); ++phase)
        for (int index = 0; index < grid.threads; ++index)
          kernel(Thread{block, index, grid}, *shared, phase);
    } else {
      for (int index = 0; index < grid.threads; ++index) kernel(Thread{block, index, grid});
    }
}

}  // namespace napkin::gpu
