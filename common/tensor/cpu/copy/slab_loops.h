// Copies of slabs: four dimensions of a strided copy at a time, by the loop that fits them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace napkin::cpu {

// Elements of 1, 2, 4 or 8 bytes; dimensions from the destination's fastest on, steps in bytes.
struct Slab {
  std::byte* to;
  const std::byte* from;
  std::int64_t size;
  std::int64_t count[4], to_step[4], from_step[4];
};

enum class SlabKind {
  runs,           // side by side along the first dimension, on both sides
  lines,          // runs of whole 64-byte lines, streamed past the caches (stream.h)
  interleaved,    // 2, 3 or 4 rows become one: to[c * n + r] = from[r][c]
  deinterleaved,  // and the reverse: to[c][r] = from[r * n + c]
  transposed,     // side by side along the first dimension there, along the second here
  elements,       // anything else
};

void copy_slab(SlabKind kind, const Slab& slab);

}  // namespace napkin::cpu
