// How PyTorch 2.15 turns a generator's bits into numbers, written to plain memory.
//
// Each rule is the one of PyTorch's scalar CPU code; the order of the draws is part of it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <type_traits>
#include <utility>

#include "common/numeric/convert.h"
#include "common/tensor/random/generator.h"

namespace napkin {

// The type in which values of T are worked out.
template <class T>
using WorkType = std::conditional_t<std::is_same_v<T, double>, double, float>;

// In [0, 1): the low 24 bits of one output, or the low 53 of two.
template <class Work>
Work draw_unit(Generator& g) {
  if constexpr (std::is_same_v<Work, double>)
    return static_cast<double>(g.random64() & ((1ull << 53) - 1)) * 0x1p-53;
  else
    return static_cast<float>(g.random() & ((1u << 24) - 1)) * 0x1p-24f;
}

template <class T>
void draw_uniform(std::span<T> out, double low, double high, Generator& g) {
  using Work = WorkType<T>;
  const auto first = static_cast<Work>(low), width = static_cast<Work>(high) - first;
  const T low_end = convert<T>(first), high_end = convert<T>(static_cast<Work>(high));
  for (T& x : out) {
    x = convert<T>(std::fma(draw_unit<Work>(g), width, first));
    if (x == high_end) x = low_end;  // rounded up: the end is not in the range
  }
}

// Two independent normal values from a pair of uniform ones, by their polar coordinates (Box and
// Muller 1958). This one gives the first and keeps the second for the next call.
inline double draw_single_normal(Generator& g) {
  if (g.held_normal) return *std::exchange(g.held_normal, std::nullopt);
  const auto u1 = draw_unit<double>(g), u2 = draw_unit<double>(g);
  const double radius = std::sqrt(-2 * std::log1p(-u2)), angle = 2 * std::numbers::pi * u1;
  g.held_normal = radius * std::sin(angle);
  return radius * std::cos(angle);
}

// Sixteen at a time: of the uniform values, j and j + 8 make a pair.
template <class Work>
std::array<Work, 16> draw_16_normals(Work mean, Work std, Generator& g) {
  std::array<Work, 16> x;
  for (Work& u : x) u = draw_unit<Work>(g);
  for (std::size_t j = 0; j < 8; ++j) {
    const Work u1 = 1 - x[j], u2 = x[j + 8];  // (0, 1] for the logarithm
    const Work radius = std::sqrt(-2 * std::log(u1));
    const auto angle = static_cast<Work>(2 * std::numbers::pi * static_cast<double>(u2));
    x[j] = std::fma(radius * std::cos(angle), std, mean);
    x[j + 8] = std::fma(radius * std::sin(angle), std, mean);
  }
  return x;
}

template <class T>
void draw_normal(std::span<T> out, double mean, double std, Generator& g) {
  using Work = WorkType<T>;
  if (out.size() < 16) {
    for (T& x : out)  // to a half type by way of float, as PyTorch rounds
      x = convert<T>(static_cast<Work>(std::fma(draw_single_normal(g), std, mean)));
    return;
  }
  const auto draw_16_to = [&](std::size_t at) {
    const auto x = draw_16_normals(static_cast<Work>(mean), static_cast<Work>(std), g);
    std::ranges::transform(x, out.begin() + static_cast<std::ptrdiff_t>(at),
                           [](Work value) { return convert<T>(value); });
  };
  std::size_t at = 0;
  for (; at + 16 <= out.size(); at += 16) draw_16_to(at);
  if (at == out.size()) return;
  // The last 16 are drawn (again). PyTorch has drawn the rest before, where T needs no rounding.
  if (std::is_same_v<T, Work>)
    for (; at < out.size(); ++at) draw_unit<Work>(g);
  draw_16_to(out.size() - 16);
}

// In [low, low + range). From 2^28 on PyTorch takes 64 bits, as 32 would favour small numbers.
inline std::int64_t draw_whole_number(std::int64_t low, std::uint64_t range, Generator& g) {
  const std::uint64_t bits = range >= 1ull << 28 ? g.random64() : g.random();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits % range);
}

struct CutNormal {
  double mean, std, low, high;  // within [low, high]
};

// trunc_normal_ of torch.nn.init; long tails in a way of their own.
template <class T>
void draw_truncated_normal(std::span<T> out, const CutNormal& cut, Generator& g);

}  // namespace napkin
