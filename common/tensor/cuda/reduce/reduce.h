// Reductions on the GPU, in the order of the CPU: equal bits, but for powers. They return at once;
// the work is in the stream.
#pragma once
#include "common/tensor/rules/reduce_plan.h"

namespace napkin::cuda {

// As reduce and place, for tensors on cuda.
void reduce(const Tensor& result, const Tensor& x, const ReduceTask& reduction);
void place(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
           bool largest);

}  // namespace napkin::cuda
