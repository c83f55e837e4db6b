// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/tensor/layout.h"

using namespace napkin;

namespace my {

inline std::int64_t position_in_storage(const Layout& layout, const Dims& index) {
  std::int64_t place = layout.offset;
  for (int d = 0; d < layout.rank(); ++d)
    place += index[d] * (d + 1 < layout.rank() ? layout.strides[d] : 1);
  return place;
}

}  // namespace my
