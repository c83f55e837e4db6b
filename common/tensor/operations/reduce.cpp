#include "common/tensor/operations/reduce.h"

#include <algorithm>
#include <cmath>

#include "common/core/observer.h"
#include "common/tensor/cpu/reduce/reduce.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/reduce/reduce.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/order.h"
#include "common/tensor/rules/reduce.h"

namespace napkin {
namespace {

// A reduction: what is combined, what becomes of the result, and what that costs at least.
struct Recipe {
  Op op;
  int rule;
  bool needs_elements = false;  // nothing would be the result of no elements
  double flops_per_element = 1, flops_per_result = -1;
  Finish finish = Finish::nothing;
  double number = 0;  // of the rule and of finish
};

// For each dimension 1 where it is reduced, else 0; a 0-dimensional tensor has one.
Dims marked(const Tensor& x, const Dims& over, std::string_view name) {
  Dims is_reduced(std::max(x.rank(), 1), over.empty() ? 1 : 0);
  for (const std::int64_t number : over) {
    const int d = wrap_dimension(number, x.rank());
    check(is_reduced[d] == 0, "{} over {}: dimension {} is named twice", name, over, d);
    is_reduced[d] = 1;
  }
  return is_reduced;
}

DType sum_type(DType d) { return is_floating(d) ? d : DType::int64; }

Tensor results_for(const Tensor& x, const Dims& is_reduced, bool keep, DType dtype) {
  Shape shape;
  for (int d = 0; d < x.rank(); ++d)
    if (is_reduced[d] == 0)
      shape.push_back(x.size(d));
    else if (keep)
      shape.push_back(1);
  return empty(shape, {.dtype = dtype, .device = x.device()});
}

void check_not_empty(const Tensor& x, const Dims& is_reduced, std::string_view name) {
  for (int d = 0; d < x.rank(); ++d)
    check(is_reduced[d] == 0 || x.size(d) > 0, "{} of no elements: dimension {} of {} has size 0",
          name, d, x.shape());
}

Tensor reduce(const Tensor& given, const Dims& over, bool keep, const Recipe& recipe) {
  const Autocasted operands(recipe.op, given);
  const Tensor& x = operands[0];
  const std::string_view name = operation(recipe.op).name;
  const Layout* layout = &x.layout();
  check_defined(recipe.op, x.dtype(), x.device());
  const Dims is_reduced = marked(x, over, name);
  if (recipe.needs_elements) check_not_empty(x, is_reduced, name);
  const Dims order = element_order({&layout, 1});
  const bool adds_up = recipe.op == Op::sum || recipe.op == Op::prod;
  const Tensor result = results_for(x, is_reduced, keep, adds_up ? sum_type(x.dtype()) : x.dtype());
  const ReduceTask reduction{recipe.rule, order, is_reduced, recipe.finish, recipe.number};
  if (x.numel() == 0)
    fill_elements(result, result_of_none(reduction));
  else if (x.device() == Device::cpu)
    cpu::reduce(result, x, reduction);
  else if (x.device() == Device::cuda)
    cuda::reduce(result, x, reduction);
  const auto flops = recipe.flops_per_element * static_cast<double>(x.numel()) +
                     recipe.flops_per_result * static_cast<double>(result.numel());
  notify(OperationEvent{name.data(), x.device(), std::max(0.0, flops), distinct_bytes(x),
                        result.bytes()});
  return result;
}

// How many elements each result is made of.
double count_of(const Tensor& x, const Dims& over, Op op) {
  const Dims is_reduced = marked(x, over, operation(op).name);
  double count = 1;
  for (int d = 0; d < x.rank(); ++d)
    if (is_reduced[d] != 0) count *= static_cast<double>(x.size(d));
  return count;
}

Tensor place(const Tensor& x, int d, bool keep, Op op, bool largest) {
  const std::string_view name = operation(op).name;
  const Layout* layout = &x.layout();
  check_defined(op, x.dtype(), x.device());
  const Dims is_reduced = marked(x, {d}, name);
  check_not_empty(x, is_reduced, name);
  const Dims order = element_order({&layout, 1});
  const Tensor result = results_for(x, is_reduced, keep, DType::int64);
  if (x.device() == Device::cpu && x.numel() > 0) cpu::place(result, x, order, is_reduced, largest);
  if (x.device() == Device::cuda && x.numel() > 0)
    cuda::place(result, x, order, is_reduced, largest);
  notify(OperationEvent{name.data(), x.device(), 0, distinct_bytes(x), result.bytes()});
  return result;
}

}  // namespace

Tensor sum(const Tensor& x) { return sum(x, {}); }

Tensor sum(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, {Op::sum, reduction_number<Sum>});
}

Tensor mean(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep,
                {.op = Op::mean,
                 .rule = reduction_number<Sum>,
                 .flops_per_result = 0,
                 .finish = Finish::divide,
                 .number = count_of(x, over, Op::mean)});
}

Tensor prod(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, {Op::prod, reduction_number<Product>});
}

Tensor max(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, {Op::max, reduction_number<Largest>, true, 0, 0});
}

Tensor min(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, {Op::min, reduction_number<Smallest>, true, 0, 0});
}

Tensor argmax(const Tensor& x) { return place(x.reshape({-1}), 0, false, Op::argmax, true); }
Tensor argmax(const Tensor& x, int d, bool keep) { return place(x, d, keep, Op::argmax, true); }
Tensor argmin(const Tensor& x) { return place(x.reshape({-1}), 0, false, Op::argmin, false); }
Tensor argmin(const Tensor& x, int d, bool keep) { return place(x, d, keep, Op::argmin, false); }

Tensor var(const Tensor& x, const Dims& over, double correction, bool keep) {
  check(!std::isnan(correction), "var: a correction of NaN; a number is needed");
  return reduce(x, over, keep,
                {.op = Op::var,
                 .rule = reduction_number<SquaredDeviations>,
                 .flops_per_element = 4,
                 .flops_per_result = 0,
                 .finish = Finish::divide,
                 .number = std::max(0.0, count_of(x, over, Op::var) - correction)});
}

Tensor norm(const Tensor& x, double p, const Dims& over, bool keep) {
  const bool is_extreme = std::isinf(p);
  Recipe recipe{.op = Op::norm, .rule = reduction_number<Powers>, .needs_elements = p < 0};
  if (is_extreme) recipe.flops_per_element = recipe.flops_per_result = 0;
  if (p == 2)
    recipe = {Op::norm, reduction_number<Squares>, false, 2, -1, Finish::square_root};
  else if (p == 1)
    recipe.rule = reduction_number<Magnitudes>;
  else if (p == 0)
    recipe.rule = reduction_number<NotZero>;
  else if (is_extreme)
    recipe = {Op::norm,
              p > 0 ? reduction_number<LargestMagnitude> : reduction_number<SmallestMagnitude>,
              true, 0, 0};
  else
    recipe.finish = Finish::root, recipe.number = p;
  return reduce(x, over, keep, recipe);
}

}  // namespace napkin
