// Matrix products on the GPU, by cuBLAS (gpu/blas/blas.h). They return at once; the work is in the
// stream.
#pragma once
#include "common/tensor/rules/matrices.h"

namespace napkin::cuda {

// As multiply (product.h), for memory of the GPU, of floating dtypes. One stride of every matrix is
// 1, and the rows or columns along the other one do not overlap.
void multiply(const MatrixProduct& product, const Batches& batches);

}  // namespace napkin::cuda
