// A mistake: lets the first dimension have stride 1.
#pragma once
#include <utility>

#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline Strides transposed_strides(const Shape& shape, int a, int b) {
  Strides strides(shape.size(), 1);
  for (int d = 1; d < shape.size(); ++d) strides[d] = strides[d - 1] * shape[d - 1];
  std::swap(strides[a], strides[b]);
  return strides;
}

}  // namespace my
