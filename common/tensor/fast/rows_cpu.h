// Operations along one dimension on the CPU: softmax, log_softmax, cumulative sums.
#pragma once
#include "common/tensor/fast/row_loops.h"
#include "common/tensor/tensor.h"

namespace napkin::fast {

// Writes to the unbroken result of x's shape; dimension d has elements, and so have the others.
void run_along(RowOperation operation, const Tensor& result, const Tensor& x, int d);

}  // namespace napkin::fast
