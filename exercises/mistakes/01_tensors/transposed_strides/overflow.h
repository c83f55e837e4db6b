// A mistake: counts in 32 bits.
#pragma once
#include <utility>

#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline Strides transposed_strides(const Shape& shape, int a, int b) {
  Strides strides(shape.size(), 1);
  std::uint32_t stride = 1;
  for (int d = shape.size() - 1; d >= 0; --d) {
    strides[d] = static_cast<std::int32_t>(stride);
    stride *= static_cast<std::uint32_t>(shape[d]);
  }
  std::swap(strides[a], strides[b]);
  return strides;
}

}  // namespace my
