// Strided copies in slabs: pieces that stay in the nearest cache, each copied straight from the
// source to its place by one loop (slab_loops.h).
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/tensor/cpu/stream.h"
#include "common/tensor/cpu/walk.h"

namespace napkin::cpu {

// From this size on strided results go past the caches. Plain copies do later (stream.h), but lines
// that are written in pieces, or far from each other, are fetched into the caches in vain.
inline constexpr std::int64_t strided_streaming_bytes = streaming_bytes / 8 * 3;

// A copy of elements of `size` bytes along a walk over the destination and the source.
struct StridedCopy {
  Walk walk;
  std::byte* to;
  const std::byte* from;
  std::int64_t size;
};

// Makes elements that stay neighbours one larger element, if there is such a one.
void enlarge_elements(StridedCopy& copy);

// Whether rows of the walk's first dimension start and end with lines of the destination's memory.
bool fills_lines(const StridedCopy& copy);

void copy_in_slabs(const StridedCopy& copy, bool streams);

}  // namespace napkin::cpu
