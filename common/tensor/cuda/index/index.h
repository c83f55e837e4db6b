// Picking and adding by position on the GPU, as in cpu/index/index.h. Indices that are not in range
// are skipped and reported (gpu/fault.h). They return at once; the work is in the stream.
#pragma once
#include "common/tensor/rules/sums.h"
#include "common/tensor/tensor.h"

namespace napkin::cuda {

// `operation`: for the report, a literal.
void gather(const char* operation, const Tensor& result, const Tensor& x, int dim,
            const Tensor& index);
void scatter_add(const char* operation, const Tensor& x, int dim, const Tensor& index,
                 const Tensor& source, Order order);

}  // namespace napkin::cuda
