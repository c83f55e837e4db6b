// Reductions on the CPU.
#pragma once
#include "common/tensor/rules/reduce_plan.h"
#include "common/tensor/tensor.h"

namespace napkin::cpu {

// The reduction of x, in the order of reduce.h. There are elements.
void reduce(const Tensor& result, const Tensor& x, const ReduceTask& reduction);

// The places of the largest or smallest elements along the only dimension that is reduced. There
// are elements.
void place(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
           bool largest);

}  // namespace napkin::cpu
