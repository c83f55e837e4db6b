// softmax, log_softmax and cumulative sums on the GPU. They return at once; the work is in the
// stream.
#pragma once
#include "common/tensor/rules/softmax.h"
#include "common/tensor/tensor.h"

namespace napkin::cuda {

// As cpu::run_along (cpu/reduce/rows.h), for tensors on cuda. softmax has the CPU's bits but for
// fp64.
void run_along(RowOperation operation, const Tensor& result, const Tensor& x, int d);

}  // namespace napkin::cuda
