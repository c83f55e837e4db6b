// For the tests: kernels run on the host, thread by thread.
#pragma once
#include <cstring>

#include "common/gpu/launch.h"

namespace napkin::cuda {

struct HostEngine {
  int* launches;  // counted, so that a test knows that kernels were used at all

  template <class Kernel>
  void launch(const Kernel& kernel, const gpu::Grid& grid) const {
    ++*launches;
    gpu::run_on_host(kernel, grid);
  }
  void copy(void* to, const void* from, std::int64_t bytes) const {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void fill_bytes(void* to, int value, std::int64_t bytes) const {
    std::memset(to, value, static_cast<std::size_t>(bytes));
  }
};

}  // namespace napkin::cuda
