// The loops of strided copies. Each takes a box of up to four dimensions; plan.h cuts copies into
// boxes, boxes.h brings operands together and apart with the same loops. Of the benchmarks,
// copy_heads and split_heads need the runs, copy_transposed and patches the transposed boxes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace napkin::cpu {

// Elements of 1, 2, 4 or 8 bytes; steps in bytes.
struct CopyBox {
  std::byte* to;
  const std::byte* from;
  std::int64_t size;  // of an element
  std::int64_t count[4], to_step[4], from_step[4];
};

enum class CopyKind {
  runs,        // side by side along the first dimension, on both sides
  transposed,  // side by side along the first dimension there, along the second here
  elements,    // anything else
};
CopyKind kind_of(const CopyBox& box);
void copy_box(CopyKind kind, const CopyBox& box);

// Runs of so many bytes past the caches (stream.h), for every index of dimensions 1 to 3.
void stream_runs(const CopyBox& box, std::int64_t bytes);

// One of the three (transpose_loops.cpp). `streams`: past the caches. Then rows of the destination
// start cache lines and are a whole number of them; or they are long, and there are staged_columns.
inline constexpr std::int64_t staged_columns = 256;
void copy_transposed(const CopyBox& box, bool streams = false);

// to[c * to_step + r] = from[r * from_step + c]; steps in elements.
inline void transpose(std::byte* to, std::int64_t to_step, const std::byte* from,
                      std::int64_t from_step, std::int64_t rows, std::int64_t columns,
                      std::int64_t size) {
  copy_transposed({to,
                   from,
                   size,
                   {rows, columns, 1, 1},
                   {size, to_step * size, 0, 0},
                   {from_step * size, size, 0, 0}});
}

}  // namespace napkin::cpu
