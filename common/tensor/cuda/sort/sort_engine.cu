#include "common/tensor/cuda/sort/sort_engine.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace napkin::cuda {
namespace {

// Calls a function of CUB's, which first says how much memory it wants.
template <class F>
void with_memory(F&& call) {
  std::size_t bytes = 0;
  gpu::check(call(nullptr, bytes));
  const GpuWorkspace<std::byte> memory(std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes)));
  gpu::check(call(static_cast<void*>(memory.data()), bytes));
}

}  // namespace

void SortEngine::sort(GpuPairs& pairs, int bits) const {
  cub::DoubleBuffer<std::uint64_t> keys(
      pairs.keys(), pairs.key_space.data() + (pairs.second_keys ? 0 : pairs.count));
  cub::DoubleBuffer<std::uint32_t> values(
      pairs.values(), pairs.value_space.data() + (pairs.second_values ? 0 : pairs.count));
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, pairs.count, 0, bits,
                                           gpu::stream());
  });
  pairs.second_keys = keys.Current() != pairs.key_space.data();
  pairs.second_values = values.Current() != pairs.value_space.data();
}

void SortEngine::select(const std::uint8_t* marks, std::uint32_t* positions, std::uint32_t* found,
                        std::int64_t count) const {
  const thrust::counting_iterator<std::uint32_t> numbers(0);
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(memory, bytes, numbers, marks, positions, found, count,
                                      gpu::stream());
  });
}

}  // namespace napkin::cuda
