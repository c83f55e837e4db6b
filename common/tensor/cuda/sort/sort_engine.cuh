// Starts kernels, sorts pairs and selects positions on the GPU: one sort for every dtype, compiled
// once (sort_engine.cu). For .cu files.
#pragma once
#include "common/gpu/memory.h"
#include "common/tensor/cuda/engine.cuh"

namespace napkin::cuda {

// Room for so many T on the GPU, uninitialised; given back to the pool at the end.
template <class T>
class GpuWorkspace {
 public:
  explicit GpuWorkspace(std::int64_t count)
      : bytes_(count * static_cast<std::int64_t>(sizeof(T))),
        data_(bytes_ > 0 ? gpu::take_memory(bytes_) : nullptr) {}
  ~GpuWorkspace() {
    if (data_ != nullptr) gpu::give_memory(data_, bytes_);
  }
  GpuWorkspace(const GpuWorkspace&) = delete;
  GpuWorkspace& operator=(const GpuWorkspace&) = delete;

  T* data() const { return reinterpret_cast<T*>(data_); }

 private:
  std::int64_t bytes_;
  std::byte* data_;
};

// Keys and values, twice: a sort goes from one to the other and back.
struct GpuPairs {
  explicit GpuPairs(std::int64_t size) : count(size), key_space(2 * size), value_space(2 * size) {}
  std::uint64_t* keys() const { return key_space.data() + (second_keys ? count : 0); }
  std::uint32_t* values() const { return value_space.data() + (second_values ? count : 0); }

  std::int64_t count;
  GpuWorkspace<std::uint64_t> key_space;
  GpuWorkspace<std::uint32_t> value_space;
  bool second_keys = false, second_values = false;
};

struct SortEngine : GpuEngine {
  template <class T>
  GpuWorkspace<T> memory(std::int64_t count) const {
    return GpuWorkspace<T>(count);
  }
  GpuPairs pairs(std::int64_t count) const { return GpuPairs(count); }

  // By the lowest `bits` of the keys; equal ones stay in order.
  void sort(GpuPairs& pairs, int bits) const;
  // The positions whose mark is not 0, in order, and how many these are.
  void select(const std::uint8_t* marks, std::uint32_t* positions, std::uint32_t* found,
              std::int64_t count) const;
};

}  // namespace napkin::cuda
