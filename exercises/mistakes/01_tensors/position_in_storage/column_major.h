// A mistake: works strides out from the shape, beginning with the first dimension.
#pragma once
#include "common/tensor/layout.h"

using namespace napkin;

namespace my {

inline std::int64_t position_in_storage(const Layout& layout, const Dims& index) {
  std::int64_t place = layout.offset, stride = 1;
  for (int d = 0; d < layout.rank(); ++d) {
    place += index[d] * stride;
    stride *= layout.shape[d];
  }
  return place;
}

}  // namespace my
