// Plans of einsum: which axes each operand has, which it loses at once, which pairs are contracted.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/einops/einsum.h"
#include "common/tensor/dims.h"

namespace napkin::einops {

using AxisList = Dims;  // numbers of axes

// Terms a and b become one with axes batch (of both), left (of a) and right (of b); contracted ones
// are of both and go. Terms are the operands, then the results of the steps.
struct Contraction {
  int a, b;
  AxisList batch, left, right, contracted;
  double flops = 0;
};

struct SumOfProducts {
  std::vector<std::string> names;  // of the axes
  std::vector<std::int64_t> sizes;
  // For each operand: the axis of each dimension, -1 for one of size 1 that is none; and the axes
  // that are summed over first.
  std::vector<AxisList> operands, summed;
  std::vector<Contraction> steps;
  AxisList result;
  std::vector<EinsumWarning> warnings;
};

SumOfProducts plan_einsum(std::string_view pattern, std::span<const Shape> shapes);

// This thread's plan for these arguments, made when first asked for.
const SumOfProducts& cached_einsum(std::string_view pattern, std::span<const Shape> shapes);

// Chooses the pairs: fills plan.steps.
void choose_order(SumOfProducts& plan);

// The axes of a term once what is summed first is gone, each once.
AxisList axes_of_operand(const SumOfProducts& plan, std::size_t operand);

// batch, left, right.
AxisList axes_of_result(const Contraction& step);

}  // namespace napkin::einops
