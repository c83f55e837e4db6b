#include "common/tensor/order.h"

#include <algorithm>
#include <utility>

namespace napkin {
namespace {

// Below 0 where dimension a is faster than b, above 0 where it is slower, 0 where no tensor tells.
// PyTorch's rule (TensorIterator): a repeated dimension says nothing; of two with equal strides
// the larger is the slower one.
int compare(std::span<const Layout* const> layouts, int a, int b) {
  for (const Layout* layout : layouts) {
    const std::int64_t stride_a = layout->strides[a], stride_b = layout->strides[b];
    if (stride_a == 0 || stride_b == 0) continue;
    if (stride_a != stride_b) return stride_a < stride_b ? -1 : 1;
    if (layout->shape[a] > layout->shape[b]) return 1;
  }
  return 0;
}

}  // namespace

Dims element_order(std::span<const Layout* const> layouts) {
  const int rank = layouts.front()->rank();
  Dims order(rank, 0);
  for (int i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  // Insertion sort: the comparison is no total order, so std::sort would not do.
  for (int i = 1; i < rank; ++i)
    for (int moved = i, before = i - 1; before >= 0; --before) {
      const int c =
          compare(layouts, static_cast<int>(order[before]), static_cast<int>(order[moved]));
      if (c < 0) break;
      if (c == 0) continue;
      std::swap(order[before], order[moved]);
      moved = before;
    }
  return order;
}

Strides strides_in_order(const Shape& shape, const Dims& order) {
  Strides strides(shape.size(), 1);
  std::int64_t step = 1;
  for (const std::int64_t d : order) {
    strides[static_cast<int>(d)] = step;
    step *= std::max<std::int64_t>(shape[static_cast<int>(d)], 1);
  }
  return strides;
}

Strides preserved_strides(const Shape& shape, std::span<const Layout* const> layouts) {
  return strides_in_order(shape, element_order(layouts));
}

Strides strides_like(const Layout& layout) {
  if (is_dense(layout)) return layout.strides;
  const Layout* like[] = {&layout};
  return preserved_strides(layout.shape, like);
}

}  // namespace napkin
