// In which passes a reduction is done, on CPU and GPU: one for each run of dimensions that go.
#pragma once
#include "common/tensor/rules/reduce.h"
#include "common/tensor/tensor.h"

namespace napkin {

// What is reduced, and by which rule.
struct ReduceTask {
  int rule;         // of ReductionRules
  Dims order;       // the operand's dimensions from the fastest to the slowest
  Dims is_reduced;  // 1 or 0 for each
  Finish finish;
  double number;
};

// The result of no elements.
double result_of_none(const ReduceTask& reduction);

// What is still to be combined: dimensions from the fastest to the slowest, neighbours merged where
// both are kept or both reduced and the elements continue evenly.
struct Remaining {
  Shape shape;
  Strides strides;
  Dims reduced;  // 1 or 0 for each dimension

  // `order`: the layout's dimensions from the fastest to the slowest. At least one dimension is
  // reduced in what is returned, if need be one of size 1.
  Remaining(const Layout& layout, const Dims& order, const Dims& is_reduced);

  // The fastest dimension that is reduced; -1 when nothing is left to do.
  int next() const;
  // What is left after a pass over dimension d: an unbroken array.
  void drop(int d);
  // How many results there will be if dimension d is combined.
  std::int64_t results(int d) const;
  // Strides that lead from each element to its place among the final results, which stand side by
  // side in the order of the kept dimensions.
  Strides to_results() const;
};

// A tensor into which the final results go as they stand, side by side in the order of the kept
// dimensions: a view of `result` where it has that order, else a new one. Only kept dimensions.
Tensor in_memory_order(const Tensor& result, const Dims& order, const Dims& is_reduced);

}  // namespace napkin
