// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline bool is_contiguous(const Shape& shape, const Strides& strides) {
  if (shape.empty()) return false;
  std::int64_t expected = 1;
  bool in_order = true;
  for (int d = shape.size() - 1; d >= 0; --d) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != expected) in_order = false;
    expected *= shape[d];
  }
  return in_order;
}

}  // namespace my
