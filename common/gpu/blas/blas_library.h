// cuBLAS, found and loaded when first needed. Built with CUDA only.
#pragma once
#include <cublas_v2.h>

#include <source_location>
#include <string>

namespace napkin::gpu {

// The functions of cuBLAS that are used here, under its names.
struct BlasLibrary {
  decltype(&::cublasCreate_v2) create;
  decltype(&::cublasSetStream_v2) set_stream;
  decltype(&::cublasSetWorkspace_v2) set_workspace;
  decltype(&::cublasSetMathMode) set_math_mode;
  decltype(&::cublasSetAtomicsMode) set_atomics_mode;
  decltype(&::cublasGemmStridedBatchedEx_64) gemm;
};

// The library of that name, from where the system looks (LD_LIBRARY_PATH included) or where the
// toolkit of the build was. Refuses where there is none.
void* open_library(const std::string& name);

// Refuses where the library, or a function of it, is missing.
const BlasLibrary& blas_library();

// "CUBLAS_STATUS_NOT_SUPPORTED", and what it means, without the library.
std::string describe(cublasStatus_t status);

// Throws where a call failed, naming the status and the place.
void check(cublasStatus_t status, std::source_location where = std::source_location::current());

}  // namespace napkin::gpu
