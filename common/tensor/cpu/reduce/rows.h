// Operations along one dimension on the CPU: softmax, log_softmax, cumulative sums.
#pragma once
#include "common/tensor/cpu/reduce/row_loops.h"
#include "common/tensor/tensor.h"

namespace napkin::cpu {

// Writes to the unbroken result of x's shape; dimension d has elements, and so have the others.
void run_along(RowOperation operation, const Tensor& result, const Tensor& x, int d);

}  // namespace napkin::cpu
