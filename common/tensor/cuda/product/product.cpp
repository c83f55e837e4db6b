#include "common/tensor/cuda/product/product.h"

#include "common/gpu/blas/blas.h"

namespace napkin::cuda {
namespace {

gpu::BlasNumber number_of(DType dtype) {
  switch (dtype) {
    case DType::fp64:
      return gpu::BlasNumber::fp64;
    case DType::fp32:
      return gpu::BlasNumber::fp32;
    case DType::bf16:
      return gpu::BlasNumber::bf16;
    case DType::fp16:
      return gpu::BlasNumber::fp16;
    default:
      fail("matmul of {} elements on cuda is not defined", name(dtype));
  }
}

gpu::BlasMatrix matrix(const Matrix& x, std::int64_t batch) {
  return {x.data, x.row, x.column, batch};
}

}  // namespace

// The last batch dimension is one call of cuBLAS, those before it are a loop.
void multiply(const MatrixProduct& product, const Batches& all) {
  MatrixProduct whole = product;
  Batches outer = all;
  simplify(whole, outer);
  std::int64_t inner = 1, a = 0, b = 0, c = 0, calls = 1;
  if (const int last = outer.shape.size() - 1; last >= 0) {
    inner = outer.shape[last];
    a = outer.a[last];
    b = outer.b[last];
    c = outer.c[last];
    for (Dims* list : {&outer.shape, &outer.a, &outer.b, &outer.c}) list->erase(last);
  }
  for (const std::int64_t size : outer.shape) calls *= size;
  for (std::int64_t i = 0; i < calls; ++i) {
    const MatrixProduct p = at_batch(whole, outer, i);
    gpu::multiply({number_of(p.dtype), p.m, p.n, p.k, matrix(p.a, a), matrix(p.b, b),
                   matrix(p.c, c), inner, p.alpha, p.beta, gpu::Precision::full});
  }
}

}  // namespace napkin::cuda
