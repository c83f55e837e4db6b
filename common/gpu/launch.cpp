#include "common/gpu/launch.h"

#include "common/core/error.h"

namespace napkin::gpu {

Grid grid_for(std::int64_t items, int per_thread, int threads) {
  check(items >= 0 && per_thread > 0 && threads > 0 && threads <= 1024,
        "a launch of {} items, {} for each thread, {} threads in a block (1 to 1024)", items,
        per_thread, threads);
  const std::int64_t per_block = std::int64_t{per_thread} * threads;
  const std::int64_t blocks = items / per_block + (items % per_block != 0 ? 1 : 0);
  check(blocks <= 0x7fffffff, "a launch of {} blocks: a grid has at most 2147483647", blocks);
  return {blocks, threads};
}

}  // namespace napkin::gpu
