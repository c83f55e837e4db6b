// The rules of numeric/blocks.h in loops over parts of rows, for every instruction set. All levels
// give equal bytes.
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/numeric/blocks.h"

namespace napkin::cpu {

// Elements at most in one call: they, their codes and their scales stay in the first-level cache.
inline constexpr std::int64_t quantize_chunk = 4096;

// Part of a row in blocks of `size`. With codes of 4 bits `first` is even.
struct Run {
  std::int64_t first, count, size;
  // Where the next elements stand, of so many bytes: encode and maxima have them fetched meanwhile.
  // Null: no.
  const std::byte* next = nullptr;
  std::int64_t next_size = 0;

  std::int64_t first_block() const { return first / size; }
  std::int64_t blocks() const { return (first + count - 1) / size - first_block() + 1; }
};

// x, y and codes point to the run's first element, amax and scales to its first block. Scales
// are uint8 or float, as in a BlockTensor.
struct QuantizeLoops {
  // max |x| of each block, of as much of it as is in the run.
  void (*maxima)(const float* x, const Run& at, float* amax);
  void (*scales)(const BlockFormat& f, float of_tensor, const float* amax, std::int64_t blocks,
                 void* scales);
  void (*encode)(const BlockFormat& f, float of_tensor, const void* scales, const float* x,
                 const Run& at, std::uint8_t* codes);
  void (*decode)(const BlockFormat& f, float of_tensor, const void* scales,
                 const std::uint8_t* codes, const Run& at, float* y);
};
QuantizeLoops quantize_loops(const BlockFormat& f);

}  // namespace napkin::cpu
