// Starts kernels and plain copies in the library's stream. For .cu files.
#pragma once
#include "common/gpu/copy.h"
#include "common/gpu/launch.cuh"
#include "common/gpu/stream.h"

namespace napkin::cuda {

struct GpuEngine {
  template <class Kernel>
  void launch(const Kernel& kernel, const gpu::Grid& grid) const {
    gpu::launch(kernel, grid, gpu::stream());
  }
  void copy(void* to, const void* from, std::int64_t bytes) const {
    gpu::copy_on_gpu(to, from, bytes);
  }
  void fill_bytes(void* to, int value, std::int64_t bytes) const {
    gpu::fill_bytes(to, value, bytes);
  }
};

}  // namespace napkin::cuda
