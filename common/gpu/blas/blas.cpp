#include "common/gpu/blas/blas.h"

#include <mutex>

#include "common/gpu/blas/blas_library.h"
#include "common/gpu/check.h"
#include "common/gpu/memory.h"
#include "common/gpu/stream.h"

namespace napkin::gpu {
namespace {

// Scratch memory for the kernels, taken once: what NVIDIA advises for its large GPUs.
constexpr std::int64_t workspace_bytes = std::int64_t{32} << 20;

cublasHandle_t make_handle() {
  const cudaStream_t at = stream();  // refuses where there is no GPU
  const BlasLibrary& blas = blas_library();
  cublasHandle_t handle = nullptr;
  check(blas.create(&handle));
  check(blas.set_stream(handle, at));  // takes the workspace away, so it comes first
  check(blas.set_workspace(handle, take_memory(workspace_bytes), workspace_bytes));
  check(blas.set_atomics_mode(handle, CUBLAS_ATOMICS_NOT_ALLOWED));
  // 16-bit products are added up in FP32 to the end, also where the parts of a k that was split
  // meet.
  check(blas.set_math_mode(
      handle, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH |
                                        CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
  return handle;
}

// Never destroyed: the driver may have gone already when the program ends.
cublasHandle_t handle() {
  static const cublasHandle_t instance = make_handle();
  return instance;
}

cublasOperation_t operation(const BlasOperand& x) {
  return x.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

// What the library is told of the elements.
struct Types {
  cudaDataType_t elements, scale;
  cublasComputeType_t compute;
};

Types types_of(BlasNumber number, Precision precision) {
  switch (number) {
    case BlasNumber::fp64:
      return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case BlasNumber::bf16:
      return {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case BlasNumber::fp16:
      return {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case BlasNumber::fp32:
      break;
  }
  return {CUDA_R_32F, CUDA_R_32F,
          precision == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F};
}

// alpha or beta as the library reads it: a float, or a double for fp64.
struct Scale {
  float single;
  double twice;
  explicit Scale(double value) : single(static_cast<float>(value)), twice(value) {}
  const void* get(const Types& types) const {
    return types.scale == CUDA_R_64F ? static_cast<const void*>(&twice) : &single;
  }
};

}  // namespace

void multiply(const BlasProduct& product) {
  if (product.m == 0 || product.n == 0 || product.batches == 0) return;
  const BlasPlan p = blas_plan(product);
  const Types types = types_of(product.number, product.precision);
  const Scale alpha(product.alpha), beta(product.beta);
  static std::mutex one_user;
  const std::lock_guard lock(one_user);
  check(blas_library().gemm(handle(), operation(p.first), operation(p.second), p.m, p.n, p.k,
                            alpha.get(types), p.first.data, types.elements, p.first.step,
                            p.first.batch, p.second.data, types.elements, p.second.step,
                            p.second.batch, beta.get(types), const_cast<void*>(p.result.data),
                            types.elements, p.result.step, p.result.batch, product.batches,
                            types.compute, CUBLAS_GEMM_DEFAULT));
}

}  // namespace napkin::gpu
