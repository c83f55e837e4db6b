// How far numbers read back from blocks, or from any narrower type, are from what they were.
#pragma once
#include "common/tensor/block_tensor.h"

namespace napkin {

// What became of the values. Where a NaN is among them or what was read, the relative error is NaN
// and the worst element is the first such one. Positions count elements row by row.
struct QuantizationError {
  std::int64_t count = 0;
  std::int64_t zeros = 0;    // not 0 before, 0 after
  std::int64_t clipped = 0;  // beyond the largest number of their block, M scale, where it is not 0
  double relative = 0;       // norm(read - values) / norm(values), in FP64; 0 where all are equal
  std::int64_t worst = 0;    // where |read - value| is largest, the first of several
  double worst_error = 0;    // |read - value| there
};

// Without blocks nothing counts as clipped. From any device with data.
QuantizationError quantization_error(const Tensor& values, const Tensor& read);
QuantizationError quantization_error(const Tensor& values, const BlockTensor& q);

}  // namespace napkin
