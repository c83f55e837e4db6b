// Transposed copies of matrices, in tiles that fit into registers.
#pragma once
#include <cstdint>

namespace napkin::cpu {

// A matrix of elements of 1, 2, 4 or 8 bytes in memory, row after row; steps in elements.
struct Transposition {
  void* to;  // (columns, rows): to[c * to_step + r] = from[r * from_step + c]
  std::int64_t to_step;
  const void* from;  // (rows, columns)
  std::int64_t from_step;
  std::int64_t rows, columns, element_bytes;
};

// Rows and columns of the pieces that threads should take: long along the source's rows, which the
// processor reads ahead, and two lines along the destination's; longer where those are not aligned.
struct TransposeBlock {
  std::int64_t rows, columns;
};
TransposeBlock transpose_block(const Transposition& t, bool streams);

// `streams`: past the caches; then the thread calls stream_fence() (stream.h) at its end.
void transpose(const Transposition& t, bool streams);

}  // namespace napkin::cpu
