// Exercise 01.3: the strides of a transposed tensor (lecture 2.3, exercise 2).
#pragma once
#include <utility>

#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline Strides transposed_strides(const Shape& shape, int a, int b) {
  Strides strides(shape.size(), 1);
  for (int d = shape.size() - 2; d >= 0; --d) strides[d] = strides[d + 1] * shape[d + 1];
  std::swap(strides[a], strides[b]);
  return strides;
}

}  // namespace my
