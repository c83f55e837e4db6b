// Reductions on the CPU.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin::fast {

// The sums of x over the dimensions d with is_reduced[d] = 1, in the order of reduce.h; `order`:
// x's dimensions from the fastest to the slowest. Neither tensor is empty.
void sum_on_cpu(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced);

}  // namespace napkin::fast
