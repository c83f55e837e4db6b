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

// Good blocks for one call: rows as bytes of the destination, columns as bytes of the source (a
// page, which the processor reads ahead).
constexpr std::int64_t block_rows_bytes(bool streams) { return streams ? 1024 : 128; }
inline constexpr std::int64_t block_columns_bytes = 4096;

// `streams`: past the caches; then the thread calls stream_fence() (stream.h) at its end.
void transpose(const Transposition& t, bool streams);

}  // namespace napkin::fast
