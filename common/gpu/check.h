// CUDA calls that fail throw, with the place that called. For .cu files.
#pragma once
#include <cuda_runtime_api.h>

#include <source_location>

namespace napkin::gpu {

// check(cudaMemcpy(...)); after a launch: check(cudaGetLastError()).
void check(cudaError_t status, std::source_location where = std::source_location::current());

}  // namespace napkin::gpu
