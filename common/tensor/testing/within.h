// For the tests: floating results within so many units in the last place.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin {

// The distance of two neighbouring numbers of a floating dtype, just above |value|.
inline double unit_of(DType dtype, double value) {
  const int digits = dtype == DType::fp64   ? 53
                     : dtype == DType::fp32 ? 24
                     : dtype == DType::fp16 ? 11
                                            : 8;
  const int lowest = dtype == DType::fp64 ? -1022 : dtype == DType::fp16 ? -14 : -126;
  int exponent = 0;
  std::frexp(value, &exponent);
  if (value == 0 || exponent - 1 < lowest) exponent = lowest + 1;
  return std::ldexp(1.0, exponent - digits);
}

// The first element that is further than `units` last places (of got's dtype) from the wanted one,
// as a sentence; empty where there is none, and shapes are equal. NaN and inf must be met.
// Where |wanted| < least, last places are those of `least`.
inline std::string beyond(const Tensor& got, const Tensor& want, double units, double least = 0) {
  if (got.shape() != want.shape())
    return fmt::format("shape {}, not {}", got.shape(), want.shape());
  const std::vector<double> g = got.to_vector<double>(), w = want.to_vector<double>();
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (std::isnan(w[i]) ? std::isnan(g[i]) : g[i] == w[i]) continue;
    const double unit = unit_of(got.dtype(), std::max(std::abs(w[i]), least));
    if (std::abs(g[i] - w[i]) <= units * unit) continue;
    return fmt::format("element {} is {:a}, not {:a}: {} units", i, g[i], w[i],
                       std::abs(g[i] - w[i]) / unit);
  }
  return {};
}

// The first element that is further than `bound` and the rounding to its dtype from the wanted one.
// NaN and inf must be met.
inline std::string beyond_bound(const Tensor& got, const Tensor& want, const Tensor& bound) {
  if (got.shape() != want.shape())
    return fmt::format("shape {}, not {}", got.shape(), want.shape());
  const std::vector<double> g = got.to_vector<double>(), w = want.to_vector<double>();
  const std::vector<double> b = bound.to_vector<double>();
  const std::vector<double> rounded = want.to(got.dtype()).to_vector<double>();
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (std::isnan(w[i]) ? std::isnan(g[i]) : g[i] == w[i]) continue;
    if (std::isinf(rounded[i]) && g[i] == rounded[i]) continue;
    const double rounding = unit_of(got.dtype(), w[i]) / 2;
    if (std::isfinite(w[i]) && std::abs(g[i] - w[i]) <= b.at(i) + rounding) continue;
    return fmt::format("element {} is {:a}, not {:a}; bound {}", i, g[i], w[i], b[i]);
  }
  return {};
}

}  // namespace napkin
