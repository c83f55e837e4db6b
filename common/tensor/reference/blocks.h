// Blocks that share scales, number by number: the rules of numeric/blocks.h and nothing else.
#pragma once
#include <vector>

#include "common/numeric/blocks.h"
#include "common/tensor/tensor.h"

namespace napkin::reference {

// A tensor as codes: number = code x the scale of its block.
struct Blocked {
  BlockFormat format;
  Blocks blocks;
  float tensor_scale;
  std::vector<std::uint32_t> codes, scales;  // one for each number, one for each block
};

inline Blocked quantize(const Tensor& x, const BlockFormat& f) {
  const auto values = x.to_vector<float>();
  const std::int64_t columns = x.rank() == 0 ? 1 : x.size(-1);
  const Blocks b = blocks_of(columns == 0 ? 0 : x.numel() / columns, columns, f.size);
  Blocked q{f, b, tensor_scale(f, largest_magnitude(values.data(), x.numel())), {}, {}};
  for (std::int64_t block = 0; block < b.count(); ++block) {
    const float* first = values.data() + b.row(block) * b.columns + b.column(block);
    const float amax = largest_magnitude(first, b.length(block));
    q.scales.push_back(block_scale(f, amax, q.tensor_scale));
    const BlockScale scale = scale_of(f, q.scales.back(), q.tensor_scale);
    for (std::int64_t i = 0; i < b.length(block); ++i)
      q.codes.push_back(napkin::quantize(f, first[i], scale));
  }
  return q;
}

inline std::vector<float> dequantize(const Blocked& q) {
  std::vector<float> values;
  for (std::int64_t block = 0; block < q.blocks.count(); ++block) {
    const auto code = q.scales[static_cast<std::size_t>(block)];
    const float scale = scale_of(q.format, code, q.tensor_scale).scale;
    for (std::int64_t i = 0; i < q.blocks.length(block); ++i)
      values.push_back(napkin::dequantize(q.format, q.codes[values.size()], scale));
  }
  return values;
}

}  // namespace napkin::reference
