// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline std::int64_t tensor_bytes(const Shape& shape, DType dtype) {
  const auto size = [&](int d) { return d < shape.size() ? shape[d] : 0; };
  return size(0) * size(1) * size(2) * size_of(dtype);
}

}  // namespace my
