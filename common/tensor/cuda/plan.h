// From the layouts of tensors to the arguments of kernels.
#pragma once
#include <algorithm>

#include "common/gpu/launch.h"
#include "common/tensor/cpu/walk.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/cuda/places.h"

namespace napkin::cuda {

static_assert(most_dimensions == max_rank);

// The places of a walk's elements in the order of the walk. An item is `packet` elements along its
// first dimension, which are a whole number of packets. sizes[k]: the bytes of an element of
// operand k.
template <int tensors>
Places<tensors> places_of(const Walk& walk, const std::int64_t (&sizes)[tensors],
                          std::int64_t packet = 1, int first_dimension = 0) {
  Places<tensors> places;
  places.rank = 0;
  for (int d = first_dimension; d < walk.shape.size(); ++d) {
    const std::int64_t elements = d == 0 ? packet : 1;
    if (walk.shape[d] == 1 && places.rank + walk.shape.size() - d > 1) continue;
    const int at = places.rank++;
    places.sizes[at] = walk.shape[d] / elements;
    for (std::size_t k = 0; k < tensors; ++k)
      places.steps[k][at] = walk.strides[k][d] * sizes[k] * elements;
  }
  if (places.rank == 0) {  // nothing left to walk: one item
    places.rank = 1;
    places.sizes[0] = 1;
    for (std::size_t k = 0; k < tensors; ++k) places.steps[k][0] = 0;
  }
  places.narrow = places.items() <= narrow_items;
  for (int d = 0; places.narrow && d + 1 < places.rank; ++d)
    places.dividers[d] = Divider(static_cast<std::uint32_t>(places.sizes[d]));
  return places;
}

}  // namespace napkin::cuda
