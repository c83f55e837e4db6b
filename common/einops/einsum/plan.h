// Plans of einsum: which axes each operand has, which it loses at once, which pairs are contracted.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/einops/einsum/warning.h"
#include "common/tensor/layout.h"

namespace napkin::einops {

using AxisList = Dims;  // numbers of axes

// How a term is seen: permuted, then in another shape. A list that is empty is a step left out.
struct AsMatrices {
  Dims order;
  Shape shape;
};

// A contraction as one product of matrices, for terms with these axes and strides.
struct OneProduct {
  AxisList axes_a, axes_b;
  Strides strides_a, strides_b;
  AsMatrices a, b;
  bool splits = false;  // whether the product's shape is not yet that of the result's axes
  Shape shape;
  AxisList axes;  // of the result
};

// Terms a and b become one with axes batch (of both), left (of a) and right (of b); contracted ones
// are of both and go. Terms are the operands, then the results of the steps.
struct Contraction {
  int a, b;
  AxisList batch, left, right, contracted;
  double flops = 0;
  OneProduct latest;
};

struct SumOfProducts {
  std::vector<std::string> names;  // of the axes
  std::vector<std::int64_t> sizes;
  // For each operand: the axis of each dimension, -1 for one of size 1 that is none; the axes that
  // are summed over first; and those that it then has, each once.
  std::vector<AxisList> operands, summed, terms;
  std::vector<Contraction> steps;
  bool sums_apart = false;      // whether axes of sizes other than 1 are summed over first
  bool is_one_product = false;  // of matrices, from operands as they are
  AxisList result;
  std::vector<EinsumWarning> warnings;
};

SumOfProducts plan_einsum(std::string_view pattern, std::span<const Shape> shapes);
[[noreturn]] void refuse_einsum(std::string_view pattern, std::span<const Shape> shapes,
                                std::string_view reason);

// A plan of this thread, made when first asked for, and nobody else's until it is given back: what
// observers and handlers of warnings do in between makes plans of its own. Warns of axes
// that may be misspelt, once for each pattern.
class CachedEinsum {
 public:
  CachedEinsum(std::string_view pattern, std::span<const Shape* const> shapes);
  ~CachedEinsum();
  CachedEinsum(const CachedEinsum&) = delete;
  CachedEinsum& operator=(const CachedEinsum&) = delete;
  SumOfProducts& operator*() const;

  struct Entry;

 private:
  std::unique_ptr<Entry>& place_;
  std::unique_ptr<Entry> entry_;
};

// Chooses the pairs: fills plan.steps.
void choose_order(SumOfProducts& plan);

// How a step that contracts axes becomes a product of matrices, for terms with these axes, laid out
// so: the step's latest one, worked out anew where that was for others.
const OneProduct& matrix_product(Contraction& step, const AxisList& axes_a, const Layout& a,
                                 const AxisList& axes_b, const Layout& b);

// As ==, for lists so short that a call of memcmp would be most of it.
inline bool same(const Dims& a, const Dims& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// The order that brings dimensions from these axes into those.
Dims permutation(const AxisList& from, const AxisList& to);

// batch, left, right.
AxisList axes_of_result(const Contraction& step);

}  // namespace napkin::einops
