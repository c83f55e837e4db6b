// cuBLAS and cuBLASLt, found and loaded when first needed. Built with CUDA only.
#pragma once
#include <cublasLt.h>
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

struct BlasLtLibrary {
  decltype(&::cublasLtCreate) create;
  decltype(&::cublasLtMatmul) matmul;
  decltype(&::cublasLtMatmulDescCreate) create_product;
  decltype(&::cublasLtMatmulDescDestroy) destroy_product;
  decltype(&::cublasLtMatmulDescSetAttribute) set_product;
  decltype(&::cublasLtMatrixLayoutCreate) create_layout;
  decltype(&::cublasLtMatrixLayoutDestroy) destroy_layout;
  decltype(&::cublasLtMatrixLayoutSetAttribute) set_layout;
  decltype(&::cublasLtMatmulPreferenceCreate) create_preference;
  decltype(&::cublasLtMatmulPreferenceDestroy) destroy_preference;
  decltype(&::cublasLtMatmulPreferenceSetAttribute) set_preference;
  decltype(&::cublasLtMatmulAlgoGetHeuristic) find;
};

// The library of that name, from where the system looks (LD_LIBRARY_PATH included) or where the
// toolkit of the build was. Refuses where there is none.
void* open_library(const std::string& name);

// Refuse where the library, or a function of it, is missing.
const BlasLibrary& blas_library();
const BlasLtLibrary& blas_lt_library();

// "CUBLAS_STATUS_NOT_SUPPORTED", and what it means, without the library.
std::string describe(cublasStatus_t status);

// Throws where a call failed, naming the status and the place.
void check(cublasStatus_t status, std::source_location where = std::source_location::current());

}  // namespace napkin::gpu
