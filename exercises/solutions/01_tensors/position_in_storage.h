// Exercise 01.2: where an element stands in the storage (lecture 2.3, exercise 2).
#pragma once
#include "common/tensor/layout.h"

using namespace napkin;

namespace my {

inline std::int64_t position_in_storage(const Layout& layout, const Dims& index) {
  std::int64_t place = layout.offset;
  for (int d = 0; d < layout.rank(); ++d) place += index[d] * layout.strides[d];
  return place;
}

}  // namespace my
