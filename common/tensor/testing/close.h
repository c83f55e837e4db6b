// For the tests: functions near PyTorch's, which are computed in another way.
#pragma once
#include <cmath>
#include <string>

#include "common/tensor/testing/recorded_cases.h"

namespace napkin::recorded {

// The distance from 1 to the next number.
inline double epsilon(DType dtype) {
  return dtype == DType::fp64   ? 0x1p-52
         : dtype == DType::fp32 ? 0x1p-23
         : dtype == DType::fp16 ? 0x1p-10
                                : 0x1p-7;
}

// PyTorch's functions are some units of the last place away from the exact value, as ours are: six
// together, two where both are rounded to 16 bits. Its sigmoid is 0 where it should be
// subnormal, its gelu loses everything in the tail.
inline std::string not_close(const Tensor& got, const Result& want, const std::string& operation,
                             bool strides = true) {
  const DType dtype = want.elements.dtype();
  if (got.dtype() != dtype || got.shape() != want.shape) return "dtype or shape";
  if (strides && got.numel() > 0 && got.strides() != want.strides) return "strides";
  const auto g = got.to_vector<double>(), w = want.elements.to_vector<double>();
  const bool is_half = dtype == DType::bf16 || dtype == DType::fp16;
  const double smallest = dtype == DType::fp64   ? 0x1p-1074
                          : dtype == DType::fp16 ? 0x1p-24
                                                 : 0x1p-133;
  const double tail = operation == "gelu"      ? epsilon(dtype)
                      : operation == "sigmoid" ? (dtype == DType::fp64 ? 0x1p-1022 : 0x1p-126)
                                               : 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (g[i] == w[i] || (std::isnan(g[i]) && std::isnan(w[i]))) continue;
    const double relative = (is_half ? 1.5 : 6) * epsilon(dtype) * std::abs(w[i]);
    const double allowed = relative + 2 * smallest + tail;
    if (!(std::abs(g[i] - w[i]) <= allowed))
      return fmt::format("element {} is {}, not {}", i, g[i], w[i]);
  }
  return "";
}

}  // namespace napkin::recorded
