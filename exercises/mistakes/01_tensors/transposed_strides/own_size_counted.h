// A mistake: multiplies by the dimension's own size as well.
#pragma once
#include <utility>

#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline Strides transposed_strides(const Shape& shape, int a, int b) {
  Strides strides(shape.size(), 1);
  std::int64_t stride = 1;
  for (int d = shape.size() - 1; d >= 0; --d) {
    stride *= shape[d];
    strides[d] = stride;
  }
  std::swap(strides[a], strides[b]);
  return strides;
}

}  // namespace my
