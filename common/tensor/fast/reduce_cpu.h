// Reductions on the CPU.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin::fast {

// What becomes of a result: nothing, result / number, its square root, result^(1 / number).
enum class Finish : std::uint8_t { nothing, divide, square_root, root };

struct Reduction {
  int rule;         // of ReductionRules
  Dims order;       // the operand's dimensions from the fastest to the slowest
  Dims is_reduced;  // 1 or 0 for each
  Finish finish;
  double number;
};

// The reduction of x, in the order of reduce.h. There are results, but elements need not be.
void reduce_on_cpu(const Tensor& result, const Tensor& x, const Reduction& reduction);

// The places of the largest or smallest elements along the only dimension that is reduced. There
// are elements.
void place_on_cpu(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
                  bool largest);

}  // namespace napkin::fast
