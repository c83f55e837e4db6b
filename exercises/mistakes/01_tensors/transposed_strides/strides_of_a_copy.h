// A mistake: gives the strides of a new tensor of the transposed shape.
#pragma once
#include <utility>

#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline Strides transposed_strides(const Shape& shape, int a, int b) {
  Shape turned = shape;
  std::swap(turned[a], turned[b]);
  Strides strides(turned.size(), 1);
  for (int d = turned.size() - 2; d >= 0; --d) strides[d] = strides[d + 1] * turned[d + 1];
  return strides;
}

}  // namespace my
