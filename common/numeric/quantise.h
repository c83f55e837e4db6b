// Matrices in blocks that share scales: quantised, packed, read back, and what was lost.
//
// The rules and their sources are in blocks.h. Everything here is a plain loop over them.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/numeric/blocks.h"

namespace napkin {

// "floor", "up", "nearest".
std::string_view name(ScaleRule rule);

struct Quantised {
  BlockFormat format;
  Blocks blocks;
  float tensor_scale = 1;
  std::vector<std::uint8_t> codes;    // rows of blocks.row_bytes(bits of an element)
  std::vector<std::uint32_t> scales;  // one code for each block

  // Of the codes and scales together, for one number (a tensor's scale is not counted).
  double bits_per_value() const;
  BlockScale scale(std::int64_t block) const;
};

// Refuses infinity and NaN, with the position of the first one.
void check_finite(std::span<const float> values);

// `values` are a matrix of blocks.rows x blocks.columns. The first form takes the format's own
// block size. Refuses sizes that do not fit and, unless the scale is e8m0, infinity and NaN.
Quantised quantise(const BlockFormat& format, std::span<const float> values, std::int64_t rows,
                   std::int64_t columns);
Quantised quantise(const BlockFormat& format, std::span<const float> values, const Blocks& blocks);

std::vector<float> dequantise(const Quantised& q);

// What became of the values. Where a NaN is among them or what was read, the relative error is NaN
// and the worst element is the first such one.
struct QuantisationError {
  std::int64_t count = 0;
  std::int64_t zeros = 0;  // not 0 before, 0 after
  std::int64_t clipped =
      0;                   // beyond the largest number of their block, M scale, where that is not 0
  double relative = 0;     // norm(read - values) / norm(values), in FP64; 0 where all are equal
  std::int64_t worst = 0;  // where |read - value| is largest, the first of several
  double worst_error = 0;  // |read - value| there
};

// Without blocks nothing counts as clipped.
QuantisationError quantisation_error(std::span<const float> values, std::span<const float> read);
QuantisationError quantisation_error(std::span<const float> values, const Quantised& q);

}  // namespace napkin
