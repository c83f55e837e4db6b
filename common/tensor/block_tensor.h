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

}  // namespace napkin
