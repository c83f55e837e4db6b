// Kernels of launch.h started on the GPU. For .cu files.
#pragma once
#include "common/gpu/launch.h"

#include "common/gpu/check.h"

namespace napkin::gpu {

template <class Kernel>
__global__ void run_kernel(const __grid_constant__ Kernel kernel, int threads) {
  const Thread at{blockIdx.x, static_cast<int>(threadIdx.x), {gridDim.x, threads}};
  if constexpr (HasPhases<Kernel>) {
    __shared__ typename Kernel::Shared shared;
    for (int phase = 0; phase < kernel.phases(); ++phase) {
      kernel(at, shared, phase);
      __syncthreads();
    }
  } else {
    kernel(at);
  }
}

// Starts it and returns at once; nothing is started for no blocks. The place of the caller is
// reported when the launch is refused.
template <class Kernel>
void launch(const Kernel& kernel, const Grid& grid, cudaStream_t stream,
            std::source_location where = std::source_location::current()) {
  if (grid.blocks == 0) return;
  run_kernel<<<static_cast<unsigned>(grid.blocks), static_cast<unsigned>(grid.threads), 0,
               stream>>>(kernel, grid.threads);
  check(cudaGetLastError(), where);
}

}  // namespace napkin::gpu
