// Runs a plan of einsum on any kind of array: permute, unsqueeze, reshape and as_strided make an
// operand's axes the batches, rows and columns of matrices; matmul, mul and sum are found for it.
#pragma once
#include <algorithm>
#include <array>

#include "common/einops/einsum/plan.h"
#include "common/einops/pattern.h"
#include "common/numeric/dtype.h"

namespace napkin::einops {

// Where operands and their shapes stand.
template <class Array>
class Operands {
 public:
  // Refuses more than a pattern can have.
  Operands(std::string_view pattern, std::size_t count) {
    check(count < arrays_.size(), "einsum {:?}: {} operands, at most {} can be", pattern, count,
          arrays_.size() - 1);
  }
  void add(const Array& x) {
    shapes_[size_] = &x.layout().shape;
    arrays_[size_++] = &x;
  }
  std::size_t size() const { return size_; }
  const Array& operator[](std::size_t i) const { return *arrays_[i]; }
  std::span<const Shape* const> shapes() const { return std::span(shapes_).first(size_); }

 private:
  std::size_t size_ = 0;
  std::array<const Array*, max_sides> arrays_;
  std::array<const Shape*, max_sides> shapes_;
};

template <class Array>
struct Term {
  Array x;
  AxisList axes;
};

// One that stands elsewhere.
template <class Array>
struct Seen {
  const Array& x;
  const AxisList& axes;
};

template <class Array>
Array permuted(Array x, const AxisList& axes, const AxisList& order) {
  if (same(axes, order)) return x;
  return x.permute(permutation(axes, order));
}

inline AxisList join(AxisList a, const AxisList& b) {
  for (const std::int64_t axis : b) a.push_back(axis);
  return a;
}

// Calls use(x as matrices).
template <class Array, class Use>
Array as_matrices(const Array& x, const AsMatrices& how, Use&& use) {
  if (how.order.empty()) return how.shape.empty() ? use(x) : use(x.reshape(how.shape));
  const Array y = x.permute(how.order);
  return how.shape.empty() ? use(y) : use(y.reshape(how.shape));
}

// Says in `axes` whose dimensions the result has.
template <class Array>
Array multiply_matrices(const Seen<Array>& a, const Seen<Array>& b, Contraction& step,
                        const AxisList*& axes) {
  const OneProduct& how = matrix_product(step, a.axes, a.x.layout(), b.axes, b.x.layout());
  Array product = as_matrices(a.x, how.a, [&](const Array& left) {
    return as_matrices(b.x, how.b, [&](const Array& right) { return matmul(left, right); });
  });
  if (how.splits) product = product.view(how.shape);
  axes = &how.axes;
  return product;
}

template <class Array>
Term<Array> multiply_elements(const Seen<Array>& a, const Seen<Array>& b, const Contraction& step) {
  Array x = permuted(a.x, a.axes, join(step.batch, step.left));
  Array y = permuted(b.x, b.axes, join(step.batch, step.right));
  for (int i = 0; i < step.right.size(); ++i) x = x.unsqueeze(-1);
  for (int i = 0; i < step.left.size(); ++i) y = y.unsqueeze(step.batch.size());
  return {mul(x, y), axes_of_result(step)};
}

template <class Array>
Term<Array> contract(const Seen<Array>& a, const Seen<Array>& b, Contraction& step) {
  if (step.contracted.empty()) return multiply_elements(a, b, step);
  const AxisList* axes = nullptr;
  Array product = multiply_matrices(a, b, step, axes);
  return {std::move(product), *axes};
}

// An operand with each axis once, without those that are summed over first.
template <class Array>
Term<Array> prepared(const Array& operand, const SumOfProducts& plan, std::size_t i) {
  Array x = operand;
  AxisList axes;
  const Layout& layout = operand.layout();
  Layout once{{}, {}, layout.offset};
  for (int d = 0; d < layout.rank(); ++d) {
    const std::int64_t axis = plan.operands[i][d];
    if (axis < 0) continue;
    const auto before = static_cast<int>(std::ranges::find(axes, axis) - axes.begin());
    if (before < once.rank()) {
      once.strides[before] = add(once.strides[before], layout.strides[d]);
      continue;
    }
    axes.push_back(axis);
    once.shape.push_back(layout.shape[d]);
    once.strides.push_back(layout.strides[d]);
  }
  if (once.rank() < layout.rank()) x = operand.as_strided(once.shape, once.strides, once.offset);
  if (!plan.summed[i].empty()) {
    x = sum(x, permutation(axes, plan.summed[i]));
    axes = plan.terms[i];
  }
  // Sums of integers are int64, and products need one dtype.
  const bool widens = plan.sums_apart && !is_floating(operand.dtype());
  if (!plan.steps.empty()) x = x.to(widens ? DType::int64 : operand.dtype());
  return {std::move(x), axes};
}

template <class Array>
Array run_einsum(SumOfProducts& plan, const Operands<Array>& operands) {
  if (plan.is_one_product) {  // the usual case, without copies of handles and axes
    Contraction& step = plan.steps[0];
    const auto seen = [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      return Seen<Array>{operands[k], plan.terms[k]};
    };
    const AxisList* axes = nullptr;
    Array product = multiply_matrices(seen(step.a), seen(step.b), step, axes);
    if (!same(*axes, plan.result)) product = product.permute(permutation(*axes, plan.result));
    return product;
  }
  std::vector<Term<Array>> terms;
  terms.reserve(operands.size() + plan.steps.size());
  for (std::size_t i = 0; i < operands.size(); ++i) terms.push_back(prepared(operands[i], plan, i));
  for (Contraction& step : plan.steps) {
    Term<Array>&a = terms[static_cast<std::size_t>(step.a)],
    &b = terms[static_cast<std::size_t>(step.b)];
    Term<Array> made = contract(Seen<Array>{a.x, a.axes}, Seen<Array>{b.x, b.axes}, step);
    a = b = {};  // what is used up makes room
    terms.push_back(std::move(made));
  }
  return permuted(std::move(terms.back().x), terms.back().axes, plan.result);
}

}  // namespace napkin::einops
