#include "common/gpu/blas/blas_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "common/core/error.h"

namespace napkin::gpu {
namespace {

template <class Function>
void find(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) fail("matrix products on the GPU: cuBLAS has no function {}", name);
}

BlasLibrary load() {
  // cuBLAS needs this one, wherever it is found.
  open_library(fmt::format("libcublasLt.so.{}", CUBLAS_VER_MAJOR));
  void* const library = open_library(fmt::format("libcublas.so.{}", CUBLAS_VER_MAJOR));
  BlasLibrary blas{};
  find(blas.create, library, "cublasCreate_v2");
  find(blas.set_stream, library, "cublasSetStream_v2");
  find(blas.set_workspace, library, "cublasSetWorkspace_v2");
  find(blas.set_math_mode, library, "cublasSetMathMode");
  find(blas.set_atomics_mode, library, "cublasSetAtomicsMode");
  find(blas.gemm, library, "cublasGemmStridedBatchedEx_64");
  return blas;
}

}  // namespace

void* open_library(const std::string& name) {
  for (const std::string& path : {name, std::string(NAPKIN_CUDA_LIBRARIES "/") + name})
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* reason = dlerror();
  fail(
      "matrix products on the GPU need {}, which was not found ({}); it comes with the CUDA "
      "toolkit, and LD_LIBRARY_PATH may name its folder",
      name, reason == nullptr ? "no reason given" : reason);
}

const BlasLibrary& blas_library() {
  static const BlasLibrary library = load();
  return library;
}

std::string describe(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED: cuBLAS could not start on this GPU";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED: no memory for cuBLAS itself";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE: a size or a stride that cuBLAS does not take";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH: this GPU cannot do that";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR: memory of the GPU could not be reached";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED: a kernel failed";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR: something failed inside cuBLAS";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED: cuBLAS has no kernel for that";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
    default:
      return fmt::format("status {} of cuBLAS", static_cast<int>(status));
  }
}

void check(cublasStatus_t status, std::source_location where) {
  if (status != CUBLAS_STATUS_SUCCESS) throw Error("cuBLAS: " + describe(status), where);
}

}  // namespace napkin::gpu
