// Transposed copies of matrices, in tiles that fit into registers.
#pragma once
#include <cstdint>

namespace napkin::fast {

// A matrix of elements of 1, 2, 4 or 8 bytes in memory, row after row; steps in elements.
struct Transposition {
  void* to;  // (columns, rows): to[c * to_step + r] = from[r * from_step + c]
  std::int64_t to_step;
  const void* from;  // (rows, columns)
  std::int64_t from_step;
  std::int64_t rows, columns, element_bytes;
};

// Good blocks are 32 lines of the destination's elements wide and a page of the source's long.
inline constexpr std::int64_t block_rows_bytes = 128, block_columns_bytes = 4096;

// `streams`: with non-temporal stores; each row of the destination must start a 64-byte line, and
// the thread calls stream_fence() (stream.h) at its end.
void transpose(const Transposition& t, bool streams);

}  // namespace napkin::fast
