// The additions of reduce.cpp, compiled for several instruction sets; equal bits at every level.
//
// n numbers are added up in blocks of 1024. In a block, lane l (of 32) takes elements l, l + 32,
// l + 64 ... one after the other; then lanes, and then blocks, are folded: the upper half onto the
// lower half, until one is left. So 32 additions are independent of each other, whatever the
// registers' width, and rounding errors grow with the logarithm of n.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"

namespace napkin::fast {

inline constexpr std::int64_t reduce_lanes = 32, reduce_block = 1024;

// For numbers of a compute type (loops.h).
struct SumLoops {
  // sums[r] = sum of block x[r * columns ... + columns - 1]
  void (*rows)(void* sums, const void* x, std::int64_t rows, std::int64_t columns);
  // Rows first, first + 1 ... of a block, `step` numbers apart: each is added to its lane,
  // lanes[row % 32][columns].
  void (*to_lanes)(void* lanes, const void* x, std::int64_t step, std::int64_t first,
                   std::int64_t rows, std::int64_t columns);
  // x[0] = sum of x[0] ... x[count - 1], each of them `columns` numbers.
  void (*fold)(void* x, std::int64_t count, std::int64_t columns);
};
SumLoops sum_loops(DType compute);

}  // namespace napkin::fast
