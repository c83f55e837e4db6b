// Runs a plan of einsum on any kind of array: permute, unsqueeze, reshape and as_strided make an
// operand's axes the batches, rows and columns of matrices; matmul, mul and sum are found for it.
#pragma once
#include <algorithm>

#include "common/einops/fast/einsum_plan.h"
#include "common/tensor/layout.h"

namespace napkin::einops {

template <class Array>
struct Term {
  Array x;
  AxisList axes;

  int dimension(std::int64_t axis) const {
    return static_cast<int>(std::ranges::find(axes, axis) - axes.begin());
  }
  std::int64_t size(std::int64_t axis) const { return x.layout().shape[dimension(axis)]; }
  std::int64_t stride(std::int64_t axis) const { return x.layout().strides[dimension(axis)]; }
};

template <class Array>
Array permuted(const Term<Array>& term, const AxisList& order) {
  if (term.axes == order) return term.x;
  Dims dims;
  for (const std::int64_t axis : order) dims.push_back(term.dimension(axis));
  return term.x.permute(dims);
}

// Larger steps first.
template <class Array>
AxisList by_stride(const Term<Array>& term, AxisList axes) {
  std::ranges::sort(
      axes, [&](std::int64_t a, std::int64_t b) { return term.stride(a) > term.stride(b); });
  return axes;
}

// Whether axes a and then b can be one dimension.
template <class Array>
bool meet(const Term<Array>& term, std::int64_t a, std::int64_t b) {
  return term.stride(a) == term.size(b) * term.stride(b);
}

template <class Array>
bool is_one_dimension(const Term<Array>& term, const AxisList& axes) {
  std::int64_t last = -1;
  for (const std::int64_t axis : axes) {
    if (term.size(axis) == 1) continue;
    if (last >= 0 && !meet(term, last, axis)) return false;
    last = axis;
  }
  return true;
}

// The axes of one operand alone: those that are one dimension without a copy, and the rest, over
// which products are repeated.
struct Outer {
  AxisList repeated, merged;
};

template <class Array>
Outer outer_axes(const Term<Array>& term, const AxisList& axes) {
  if (is_one_dimension(term, axes)) return {{}, axes};  // in the result's order
  Outer outer;
  AxisList long_ones;
  for (const std::int64_t axis : axes)
    (term.size(axis) == 1 ? outer.merged : long_ones).push_back(axis);
  const AxisList sorted = by_stride(term, long_ones);
  int begin = 0, end = 0;
  std::int64_t largest = 0;
  for (int from = 0, to; from < sorted.size(); from = to) {
    std::int64_t count = term.size(sorted[from]);
    for (to = from + 1; to < sorted.size() && meet(term, sorted[to - 1], sorted[to]); ++to)
      count *= term.size(sorted[to]);
    if (count > largest) largest = count, begin = from, end = to;
  }
  for (int i = 0; i < sorted.size(); ++i)
    (i >= begin && i < end ? outer.merged : outer.repeated).push_back(sorted[i]);
  return outer;
}

inline AxisList join(AxisList a, const AxisList& b) {
  for (const std::int64_t axis : b) a.push_back(axis);
  return a;
}

// [batch..., those that only the other has: 1..., rows, columns] of an operand, with `before` of
// those 1 before the repeated axes and `after` behind.
template <class Array>
Array as_matrices(const Term<Array>& term, const AxisList& batch, const Outer& outer, int before,
                  int after, const AxisList& contracted, bool is_left) {
  const AxisList &rows = is_left ? outer.merged : contracted,
                 &columns = is_left ? contracted : outer.merged;
  const Array x = permuted(term, join(join(batch, outer.repeated), join(rows, columns)));
  Shape shape;
  const auto one = [&](const AxisList& axes) {
    std::int64_t n = 1;
    for (const std::int64_t axis : axes) n *= term.size(axis);
    return n;
  };
  for (const std::int64_t axis : batch) shape.push_back(term.size(axis));
  for (int i = 0; i < before; ++i) shape.push_back(1);
  for (const std::int64_t axis : outer.repeated) shape.push_back(term.size(axis));
  for (int i = 0; i < after; ++i) shape.push_back(1);
  shape.push_back(one(rows));
  shape.push_back(one(columns));
  return shape == x.layout().shape ? x : x.reshape(shape);
}

// Contracted axes in the order for which fewer elements are copied.
template <class Array>
AxisList contracted_order(const Term<Array>& a, const Term<Array>& b, const AxisList& axes) {
  const auto copied = [&](const AxisList& order) {
    return (is_one_dimension(a, order) ? 0 : count_elements(a.x.layout().shape)) +
           (is_one_dimension(b, order) ? 0 : count_elements(b.x.layout().shape));
  };
  if (axes.size() < 2) return axes;
  const AxisList first = by_stride(a, axes), second = by_stride(b, axes);
  return copied(first) <= copied(second) ? first : second;
}

template <class Array>
Term<Array> multiply_matrices(const Term<Array>& a, const Term<Array>& b, const Contraction& step) {
  const Outer left = outer_axes(a, step.left), right = outer_axes(b, step.right);
  const AxisList contracted = contracted_order(a, b, step.contracted);
  const int l = left.repeated.size(), r = right.repeated.size();
  const Array product = matmul(as_matrices(a, step.batch, left, 0, r, contracted, true),
                               as_matrices(b, step.batch, right, l, 0, contracted, false));
  Term<Array> result{product, join(join(step.batch, join(left.repeated, right.repeated)),
                                   join(left.merged, right.merged))};
  Shape shape;
  for (const std::int64_t axis : result.axes)
    shape.push_back(a.dimension(axis) < a.axes.size() ? a.size(axis) : b.size(axis));
  if (shape != product.layout().shape) result.x = product.view(shape);
  return result;
}

template <class Array>
Term<Array> multiply_elements(const Term<Array>& a, const Term<Array>& b, const Contraction& step) {
  Array x = permuted(a, join(step.batch, step.left)), y = permuted(b, join(step.batch, step.right));
  for (int i = 0; i < step.right.size(); ++i) x = x.unsqueeze(-1);
  for (int i = 0; i < step.left.size(); ++i) y = y.unsqueeze(step.batch.size());
  return {mul(x, y), axes_of_result(step)};
}

// An operand with each axis once, without those that are summed over first.
template <class Array>
Term<Array> prepared(const Array& operand, const SumOfProducts& plan, std::size_t i) {
  Term<Array> term{operand, {}};
  const Layout& layout = operand.layout();
  Layout once{{}, {}, layout.offset};
  for (int d = 0; d < layout.rank(); ++d) {
    const std::int64_t axis = plan.operands[i][d];
    if (axis < 0) continue;
    const int before = term.dimension(axis);
    if (before < once.rank()) {
      once.strides[before] = add(once.strides[before], layout.strides[d]);
      continue;
    }
    term.axes.push_back(axis);
    once.shape.push_back(layout.shape[d]);
    once.strides.push_back(layout.strides[d]);
  }
  if (once.rank() < layout.rank())
    term.x = operand.as_strided(once.shape, once.strides, once.offset);
  if (plan.summed[i].empty()) return term;
  Dims over;
  for (const std::int64_t axis : plan.summed[i]) over.push_back(term.dimension(axis));
  term.x = sum(term.x, over);
  // Sums of integers are int64, and products need one dtype.
  if (!plan.steps.empty()) term.x = term.x.to(operand.dtype());
  term.axes = axes_of_operand(plan, i);
  return term;
}

template <class Array>
Array run_einsum(const SumOfProducts& plan, std::span<const Array> operands) {
  std::vector<Term<Array>> terms;
  terms.reserve(operands.size() + plan.steps.size());
  for (std::size_t i = 0; i < operands.size(); ++i) terms.push_back(prepared(operands[i], plan, i));
  for (const Contraction& step : plan.steps) {
    Term<Array>&a = terms[static_cast<std::size_t>(step.a)],
    &b = terms[static_cast<std::size_t>(step.b)];
    Term<Array> made =
        step.contracted.empty() ? multiply_elements(a, b, step) : multiply_matrices(a, b, step);
    a = b = {};  // what is used up makes room
    terms.push_back(std::move(made));
  }
  return permuted(terms.back(), plan.result);
}

}  // namespace napkin::einops
