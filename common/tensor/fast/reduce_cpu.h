// Reductions on the CPU.
#pragma once
#include "common/tensor/reduce_rules.h"
#include "common/tensor/tensor.h"

namespace napkin::fast {

struct Reduction {
  int rule;         // of ReductionRules
  Dims order;       // the operand's dimensions from the fastest to the slowest
  Dims is_reduced;  // 1 or 0 for each
  Finish finish;
  double number;
};

// The result of no elements.
double result_of_none(const Reduction& reduction);

// The reduction of x, in the order of reduce.h. There are elements.
void reduce_on_cpu(const Tensor& result, const Tensor& x, const Reduction& reduction);

// The places of the largest or smallest elements along the only dimension that is reduced. There
// are elements.
void place_on_cpu(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
                  bool largest);

}  // namespace napkin::fast
