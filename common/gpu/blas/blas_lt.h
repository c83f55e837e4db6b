// Products by a kernel of cuBLASLt that was searched for. Built with CUDA only.
#pragma once
#include <optional>

#include "common/gpu/blas/blas_library.h"
#include "common/gpu/blas/blas_plan.h"

namespace napkin::gpu {

// What both libraries are told of the elements.
struct BlasTypes {
  cudaDataType_t elements, scale;
  cublasComputeType_t compute;
};
BlasTypes blas_types(BlasNumber number, Precision precision);

// alpha or beta as the library reads it: a float, or a double for fp64.
struct BlasScale {
  float single;
  double twice;
  explicit BlasScale(double value) : single(static_cast<float>(value)), twice(value) {}
  const void* get(const BlasTypes& types) const {
    return types.scale == CUDA_R_64F ? static_cast<const void*>(&twice) : &single;
  }
};

// Scratch memory for the kernels, taken once: what NVIDIA advises for its large GPUs.
inline constexpr std::int64_t blas_workspace_bytes = std::int64_t{32} << 20;
std::byte* blas_workspace();

// True, with the work in the stream, where search_product has found a kernel for that shape.
bool multiply_by_search(const BlasProduct& product);

}  // namespace napkin::gpu
