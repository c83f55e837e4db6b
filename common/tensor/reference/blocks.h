// Blocks in plain loops over the rules of numeric/blocks.h: what the fast loops are held against.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/tensor/blocks/quantize.h"
#include "common/numeric/convert.h"

namespace napkin::plain {

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

// The first difference in words; none: "". NaN is equal to NaN.
inline std::string difference(const Tensor& got, const std::vector<float>& want) {
  const auto values = got.to_vector<double>();
  if (values.size() != want.size())
    return fmt::format("{} values for {}", values.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double expected = visit(got.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      return convert<double>(convert<T>(want[i]));
    });
    const bool same = values[i] == expected && std::signbit(values[i]) == std::signbit(expected);
    const bool both_nan = values[i] != values[i] && expected != expected;
    if (!same && !both_nan) return fmt::format("value {}: {} for {}", i, values[i], expected);
  }
  return "";
}

inline std::string difference(const BlockTensor& q, const Blocked& want) {
  const auto codes = q.element_codes().to_vector<std::uint8_t>();
  if (codes.size() != want.codes.size())
    return fmt::format("{} codes for {}", codes.size(), want.codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes[i] != want.codes[i])
      return fmt::format("code {}: {} for {}", i, codes[i], want.codes[i]);
  const bool is_fp32 = q.scales.dtype() == DType::fp32;
  const auto scales = q.scales.to_vector<float>();
  if (scales.size() != want.scales.size())
    return fmt::format("{} scales for {}", scales.size(), want.scales.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const std::uint32_t got =
        is_fp32 ? std::bit_cast<std::uint32_t>(scales[i]) : static_cast<std::uint32_t>(scales[i]);
    if (got != want.scales[i]) return fmt::format("scale {}: {} for {}", i, got, want.scales[i]);
  }
  if (!q.tensor_scale.defined()) return "";
  const double of_tensor = q.tensor_scale.item().to_double();
  if (of_tensor == want.tensor_scale) return "";
  return fmt::format("the tensor's scale: {} for {}", of_tensor, want.tensor_scale);
}

}  // namespace napkin::plain
