// A mistake: looks only whether there are gaps.
#pragma once
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline bool is_contiguous(const Shape& shape, const Strides& strides) {
  std::int64_t elements = 1, last = 0;
  for (int d = 0; d < shape.size(); ++d) {
    elements *= shape[d];
    last += (shape[d] - 1) * strides[d];
  }
  return elements == 0 || last == elements - 1;
}

}  // namespace my
