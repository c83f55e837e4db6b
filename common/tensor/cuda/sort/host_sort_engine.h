// For the tests: what sort_engine.cuh does, on the host.
#pragma once
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "common/tensor/cpu/workspace.h"
#include "common/tensor/cuda/host_engine.h"

namespace napkin::cuda {

struct HostPairs {
  explicit HostPairs(std::int64_t count)
      : key_list(static_cast<std::size_t>(count)), value_list(static_cast<std::size_t>(count)) {}
  std::uint64_t* keys() { return key_list.data(); }
  std::uint32_t* values() { return value_list.data(); }

  std::vector<std::uint64_t> key_list;
  std::vector<std::uint32_t> value_list;
};

struct HostSortEngine : HostEngine {
  template <class T>
  cpu::Workspace<T> memory(std::int64_t count) const {
    return cpu::Workspace<T>(count);
  }
  HostPairs pairs(std::int64_t count) const { return HostPairs(count); }

  void sort(HostPairs& pairs, int bits) const {
    const std::uint64_t mask = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
    std::vector<std::size_t> order(pairs.key_list.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return (pairs.key_list[a] & mask) < (pairs.key_list[b] & mask);
    });
    const HostPairs before = pairs;
    for (std::size_t i = 0; i < order.size(); ++i) {
      pairs.key_list[i] = before.key_list[order[i]];
      pairs.value_list[i] = before.value_list[order[i]];
    }
  }

  void select(const std::uint8_t* marks, std::uint32_t* positions, std::uint32_t* found,
              std::int64_t count) const {
    *found = 0;
    for (std::int64_t i = 0; i < count; ++i)
      if (marks[i] != 0) positions[(*found)++] = static_cast<std::uint32_t>(i);
  }
};

}  // namespace napkin::cuda
