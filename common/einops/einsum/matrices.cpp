// How the axes of two terms become batches, rows and columns of matrices, by strides alone.
#include <algorithm>

#include "common/einops/einsum/plan.h"

namespace napkin::einops {
namespace {

struct Term {
  const AxisList& axes;
  const Layout& layout;

  int dimension(std::int64_t axis) const {
    return static_cast<int>(std::ranges::find(axes, axis) - axes.begin());
  }
  bool has(std::int64_t axis) const { return dimension(axis) < axes.size(); }
  std::int64_t size(std::int64_t axis) const { return layout.shape[dimension(axis)]; }
  std::int64_t stride(std::int64_t axis) const { return layout.strides[dimension(axis)]; }
};

// Larger steps first.
AxisList by_stride(const Term& term, AxisList axes) {
  std::ranges::sort(
      axes, [&](std::int64_t a, std::int64_t b) { return term.stride(a) > term.stride(b); });
  return axes;
}

// Whether axes a and then b can be one dimension.
bool meet(const Term& term, std::int64_t a, std::int64_t b) {
  return term.stride(a) == term.size(b) * term.stride(b);
}

bool is_one_dimension(const Term& term, const AxisList& axes) {
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

Outer outer_axes(const Term& term, const AxisList& axes) {
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

AxisList join(AxisList a, const AxisList& b) {
  for (const std::int64_t axis : b) a.push_back(axis);
  return a;
}

// [batch..., those that only the other has: 1..., rows, columns] of an operand, with `before` of
// those 1 before the repeated axes and `after` behind.
AsMatrices as_matrices(const Term& term, const AxisList& batch, const AxisList& repeated,
                       int before, int after, const AxisList& rows, const AxisList& columns) {
  AsMatrices how;
  const AxisList order = join(join(batch, repeated), join(rows, columns));
  if (order != term.axes) how.order = permutation(term.axes, order);
  const auto one = [&](const AxisList& axes) {
    std::int64_t n = 1;
    for (const std::int64_t axis : axes) n *= term.size(axis);
    return n;
  };
  Shape permuted;
  for (const std::int64_t axis : order) permuted.push_back(term.size(axis));
  for (const std::int64_t axis : batch) how.shape.push_back(term.size(axis));
  for (int i = 0; i < before; ++i) how.shape.push_back(1);
  for (const std::int64_t axis : repeated) how.shape.push_back(term.size(axis));
  for (int i = 0; i < after; ++i) how.shape.push_back(1);
  how.shape.push_back(one(rows));
  how.shape.push_back(one(columns));
  if (how.shape == permuted) how.shape = {};
  return how;
}

// Contracted axes in the order for which fewer elements are copied.
AxisList contracted_order(const Term& a, const Term& b, const AxisList& axes) {
  const auto copied = [&](const AxisList& order) {
    return (is_one_dimension(a, order) ? 0 : count_elements(a.layout.shape)) +
           (is_one_dimension(b, order) ? 0 : count_elements(b.layout.shape));
  };
  if (axes.size() < 2) return axes;
  const AxisList first = by_stride(a, axes), second = by_stride(b, axes);
  return copied(first) <= copied(second) ? first : second;
}

OneProduct work_out(const Contraction& step, const Term& a, const Term& b) {
  const Outer left = outer_axes(a, step.left), right = outer_axes(b, step.right);
  const AxisList contracted = contracted_order(a, b, step.contracted);
  const int l = left.repeated.size(), r = right.repeated.size();
  check(step.batch.size() + l + r + 2 <= max_rank,
        "its operands, as they lie in memory, become matrices of {} dimensions; at most {} can be",
        step.batch.size() + l + r + 2, max_rank);
  OneProduct p{a.axes, b.axes, a.layout.strides, b.layout.strides, {}, {}, false, {}, {}};
  p.a = as_matrices(a, step.batch, left.repeated, 0, r, left.merged, contracted);
  p.b = as_matrices(b, step.batch, right.repeated, l, 0, contracted, right.merged);
  p.axes =
      join(join(step.batch, join(left.repeated, right.repeated)), join(left.merged, right.merged));
  for (const std::int64_t axis : p.axes) p.shape.push_back((a.has(axis) ? a : b).size(axis));
  p.splits = left.merged.size() != 1 || right.merged.size() != 1;
  return p;
}

}  // namespace

Dims permutation(const AxisList& from, const AxisList& to) {
  Dims order;
  for (const std::int64_t axis : to) order.push_back(std::ranges::find(from, axis) - from.begin());
  return order;
}

const OneProduct& matrix_product(Contraction& step, const AxisList& axes_a, const Layout& a,
                                 const AxisList& axes_b, const Layout& b) {
  const OneProduct& latest = step.latest;
  if (!same(latest.axes_a, axes_a) || !same(latest.axes_b, axes_b) ||
      !same(latest.strides_a, a.strides) || !same(latest.strides_b, b.strides))
    step.latest = work_out(step, {axes_a, a}, {axes_b, b});
  return step.latest;
}

}  // namespace napkin::einops
