// For the tests: what differs between blocks and those of the reference, in words; nothing: "".
#pragma once
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "common/numeric/convert.h"
#include "common/tensor/block_tensor.h"
#include "common/tensor/reference/blocks.h"

namespace napkin {

// NaN is equal to NaN.
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

inline std::string difference(const BlockTensor& q, const reference::Blocked& want) {
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

}  // namespace napkin
