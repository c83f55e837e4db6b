// Tensors of blocks that share scales: MXFP8, MXFP4, NVFP4, FP8 and FP4 with FP32 scales.
//
// The rules and their sources are in numeric/blocks.h. Blocks run along the last dimension and
// never from one row into the next: the last block of a row is as long as what is left of it. fp64
// numbers are rounded to fp32 first. Works on cpu, cuda and meta, for any strides.
#pragma once
#include <cstdint>

#include "common/numeric/blocks.h"
#include "common/tensor/tensor.h"

namespace napkin {

struct BlockTensor {
  BlockFormat format;
  Shape shape;
  Tensor codes;         // uint8, (rows, bytes of a row), two codes of 4 bits in a byte
  Tensor scales;        // (rows, blocks of a row): uint8 codes of e8m0 or e4m3fn, or fp32
  Tensor tensor_scale;  // fp32, no dimensions; undefined where the format has none

  Blocks blocks() const;
  Device device() const { return codes.device(); }
  std::int64_t bytes() const;     // of all three
  double bits_per_value() const;  // of codes and scales; a tensor's scale is not counted
  BlockTensor to(Device device) const;

  // On the computer, one uint8 for each number: (shape). Refused on meta, as the next one.
  Tensor element_codes() const;
  // The numbers behind `scales`, fp32 on the computer; the tensor's scale is not in them.
  Tensor decoded_scales() const;
};

// From a floating tensor. Unless scales are e8m0, infinity and NaN are refused with their position:
// the first one's on the CPU; from the GPU the refusal comes with the next wait, for any of them.
BlockTensor quantise(const Tensor& x, const BlockFormat& format);

// code x scale, computed in FP32, as a contiguous tensor of a floating dtype.
Tensor dequantise(const BlockTensor& q, DType dtype = DType::fp32);

// What became of the values. Where a NaN is among them or what was read, the relative error is NaN
// and the worst element is the first such one. Positions count elements row by row.
struct QuantisationError {
  std::int64_t count = 0;
  std::int64_t zeros = 0;    // not 0 before, 0 after
  std::int64_t clipped = 0;  // beyond the largest number of their block, M scale, where it is not 0
  double relative = 0;       // norm(read - values) / norm(values), in FP64; 0 where all are equal
  std::int64_t worst = 0;    // where |read - value| is largest, the first of several
  double worst_error = 0;    // |read - value| there
};

// Without blocks nothing counts as clipped. From any device with data.
QuantisationError quantisation_error(const Tensor& values, const Tensor& read);
QuantisationError quantisation_error(const Tensor& values, const BlockTensor& q);

}  // namespace napkin
