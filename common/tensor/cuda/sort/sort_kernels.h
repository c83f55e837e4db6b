// The kernels of sorting, as structs that GPU and host run (gpu/launch.h). All lines are sorted
// together: by keys of 64 bits, with the number of each element, its item, as the value. An item is
// line x size + position.
#pragma once
#include "common/gpu/launch.h"
#include "common/numeric/order_key.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/cuda/places.h"

namespace napkin::cuda {

// The key of an element (order_key.h), in as many of the lowest bits as the element has.
NAPKIN_HD inline std::uint64_t key_at(const std::byte* at, DType dtype) {
  const auto key = [&](auto tag) -> std::uint64_t {
    return order_key(*reinterpret_cast<const typename decltype(tag)::Type*>(at));
  };
  if (is_computed_in<double>(dtype)) return visit_computed<double>(dtype, key);
  if (is_computed_in<float>(dtype)) return visit_computed<float>(dtype, key);
  return visit_computed<std::int64_t>(dtype, key);
}

struct SortedLines {
  Places<3> lines;  // x, values, indices
  std::int64_t line_count, size, k;
  std::int64_t steps[3];  // along the sorted dimension, in bytes
  const std::byte* x;
  std::byte *values, *indices;
  DType dtype;
  int element_bytes;

  NAPKIN_HD std::int64_t items() const { return line_count * size; }
};

// Where an element has fewer than 64 bits, its line stands above its key.
struct MakeKeys {
  SortedLines s;
  bool descending;
  std::uint64_t* keys;
  std::uint32_t* items;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t item = at.number();
    if (item >= s.items()) return;
    const std::int64_t line = item / s.size;
    std::int64_t place[3];
    s.lines.find(line, place);
    const int bits = 8 * s.element_bytes;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    std::uint64_t key = key_at(s.x + place[0] + (item - line * s.size) * s.steps[0], s.dtype);
    if (descending) key = ~key & mask;
    keys[item] = bits < 64 ? key | static_cast<std::uint64_t>(line) << bits : key;
    items[item] = static_cast<std::uint32_t>(item);
  }
};

// Keys of 64 bits leave no room for the line: that is sorted by afterwards.
struct MakeLineKeys {
  std::int64_t count, size;
  const std::uint32_t* items;
  std::uint64_t* keys;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() < count)
      keys[at.number()] = static_cast<std::uint64_t>(items[at.number()] / size);
  }
};

// The first k elements of each line and their positions.
struct WriteSorted {
  SortedLines s;
  const std::uint32_t* items;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() >= s.line_count * s.k) return;
    const std::int64_t line = at.number() / s.k, i = at.number() - line * s.k;
    const std::int64_t position = items[line * s.size + i] - line * s.size;
    std::int64_t place[3];
    s.lines.find(line, place);
    const std::byte* from = s.x + place[0] + position * s.steps[0];
    std::byte* to = s.values + place[1] + i * s.steps[1];
    for (int b = 0; b < s.element_bytes; ++b) to[b] = from[b];
    *reinterpret_cast<std::int64_t*>(s.indices + place[2] + i * s.steps[2]) = position;
  }
};

}  // namespace napkin::cuda
