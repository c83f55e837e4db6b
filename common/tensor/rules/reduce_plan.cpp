#include "common/tensor/rules/reduce_plan.h"

#include "common/tensor/create.h"
#include "common/tensor/order.h"

namespace napkin {

double result_of_none(const ReduceTask& reduction) {
  const double none = reduction.rule == reduction_number<Product> ? 1 : 0;
  return finished(none, reduction.finish, reduction.number);
}

Remaining::Remaining(const Layout& layout, const Dims& order, const Dims& is_reduced) {
  for (const std::int64_t number : order) {
    const int d = static_cast<int>(number), last = shape.size() - 1;
    if (layout.shape[d] == 1) continue;
    if (last >= 0 && reduced[last] == is_reduced[d] &&
        strides[last] * shape[last] == layout.strides[d]) {
      shape[last] *= layout.shape[d];
      continue;
    }
    shape.push_back(layout.shape[d]);
    strides.push_back(layout.strides[d]);
    reduced.push_back(is_reduced[d]);
  }
  if (next() >= 0) return;
  shape.insert(0, 1);  // only dimensions of size 1 go
  strides.insert(0, 1);
  reduced.insert(0, 1);
}

int Remaining::next() const {
  for (int d = 0; d < shape.size(); ++d)
    if (reduced[d] != 0) return d;
  return -1;
}

void Remaining::drop(int d) {
  shape.erase(d);
  reduced.erase(d);
  strides = Strides();
  std::int64_t step = 1;
  for (const std::int64_t size : shape) {
    strides.push_back(step);
    step *= size;
  }
}

std::int64_t Remaining::results(int d) const {
  std::int64_t count = 1;
  for (int i = 0; i < shape.size(); ++i)
    if (i != d) count *= shape[i];
  return count;
}

Strides Remaining::to_results() const {
  Strides steps;
  std::int64_t next_step = 1;
  for (int i = 0; i < shape.size(); ++i) {
    steps.push_back(reduced[i] != 0 ? 0 : next_step);
    if (reduced[i] == 0) next_step *= shape[i];
  }
  return steps;
}

Tensor in_memory_order(const Tensor& result, const Dims& order, const Dims& is_reduced) {
  Shape shape;
  Dims kept_order, number(order.size(), 0);
  for (int d = 0; d < order.size(); ++d) {
    if (is_reduced[d] != 0) continue;
    number[d] = shape.size();
    shape.push_back(result.size(result.rank() == order.size() ? d : shape.size()));
  }
  for (const std::int64_t d : order)
    if (is_reduced[static_cast<int>(d)] == 0) kept_order.push_back(number[static_cast<int>(d)]);
  const Layout layout{shape, strides_in_order(shape, kept_order)};
  if (is_contiguous(layout)) return result.view(shape);
  return empty_strided(shape, layout.strides,
                       {result.dtype(), result.device(), Category::temporary});
}

}  // namespace napkin
