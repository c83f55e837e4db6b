#include "common/tensor/cpu/walk.h"

#include <algorithm>

namespace napkin {
namespace {

// Whether every operand steps from the last element of its current slowest dimension to the next
// of `strides` as evenly as within it.
bool continues(const Walk& walk, std::span<const Layout* const> layouts, int d) {
  const int last = walk.shape.size() - 1;
  for (int k = 0; k < walk.operands; ++k)
    if (layouts[static_cast<std::size_t>(k)]->strides[d] !=
        walk.strides[static_cast<std::size_t>(k)][last] * walk.shape[last])
      return false;
  return true;
}

// Moves dimension d to the second place.
void bring_near(Walk& walk, int d) {
  const auto rotate = [d](Dims& dims) {
    std::rotate(dims.begin() + 1, dims.begin() + d, dims.begin() + d + 1);
  };
  rotate(walk.shape);
  for (int k = 0; k < walk.operands; ++k) rotate(walk.strides[static_cast<std::size_t>(k)]);
}

// The dimension along which some operand runs faster than along the fastest one; 0 if there is
// none.
int dimension_across(const Walk& walk) {
  for (int k = 0; k < walk.operands; ++k) {
    const Strides& s = walk.strides[static_cast<std::size_t>(k)];
    int fastest = 0;
    for (int d = 1; d < s.size(); ++d)
      if (s[d] != 0 && s[d] < s[fastest]) fastest = d;
    if (fastest > 0) return fastest;
  }
  return 0;
}

// Long rows, unless an operand runs across them: then shorter ones, and more of them, so that each
// line of memory fetched for that operand is used in full.
void choose_box(Walk& walk) {
  constexpr std::int64_t short_row = 64;
  const int across = dimension_across(walk);
  if (across > 0) bring_near(walk, across);
  const std::int64_t row =
      across > 0 ? std::max(short_row, Walk::box_elements / walk.shape[1]) : Walk::box_elements;
  walk.columns = std::min(walk.shape[0], row);
  walk.rows = std::min(walk.shape[1], Walk::box_elements / walk.columns);
}

constexpr std::int64_t parts(std::int64_t size, std::int64_t part) {
  return (size + part - 1) / part;
}

}  // namespace

std::int64_t Walk::boxes() const {
  std::int64_t count = parts(shape[0], columns) * parts(shape[1], rows);
  for (int d = 2; d < shape.size(); ++d) count *= shape[d];
  return count;
}

Walk plan_walk(std::span<const Layout* const> layouts) {
  Walk walk;
  walk.operands = static_cast<int>(layouts.size());
  const Shape& shape = layouts.front()->shape;
  for (const std::int64_t size : shape)
    if (size == 0) return walk;
  for (const std::int64_t order : element_order(layouts)) {
    const int d = static_cast<int>(order);
    if (shape[d] == 1) continue;
    if (!walk.shape.empty() && continues(walk, layouts, d)) {
      walk.shape[walk.shape.size() - 1] *= shape[d];
      continue;
    }
    walk.shape.push_back(shape[d]);
    for (std::size_t k = 0; k < layouts.size(); ++k)
      walk.strides[k].push_back(layouts[k]->strides[d]);
  }
  while (walk.shape.size() < 2) {
    walk.shape.push_back(1);
    for (std::size_t k = 0; k < layouts.size(); ++k) walk.strides[k].push_back(0);
  }
  choose_box(walk);
  return walk;
}

Box box_at(const Walk& walk, std::int64_t number) {
  Box box{0, 0, {}};
  for (int d = 0; d < walk.shape.size(); ++d) {
    const std::int64_t step = d == 0 ? walk.columns : d == 1 ? walk.rows : 1;
    const std::int64_t count = parts(walk.shape[d], step);
    const std::int64_t first = number % count * step;
    number /= count;
    if (d == 0) box.columns = std::min(walk.columns, walk.shape[0] - first);
    if (d == 1) box.rows = std::min(walk.rows, walk.shape[1] - first);
    for (int k = 0; k < walk.operands; ++k) {
      const auto at = static_cast<std::size_t>(k);
      box.start[at] += first * walk.strides[at][d];
    }
  }
  return box;
}

}  // namespace napkin
