// A mistake: is wrong in a way that no hint knows.
#pragma once
#include <algorithm>

#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline Strides transposed_strides(const Shape& shape, int a, int b) {
  Strides strides(shape.size(), 1);
  for (int d = shape.size() - 2; d >= 0; --d) strides[d] = strides[d + 1] * shape[d + 1];
  if (a != b) std::reverse(strides.begin(), strides.end());
  return strides;
}

}  // namespace my
