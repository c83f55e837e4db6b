// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline std::int64_t tensor_bytes(const Shape& shape, DType dtype) {
  if (shape.size() == 0) return 0;
  std::int64_t bytes = size_of(dtype);
  for (const std::int64_t size : shape) bytes *= size;
  return bytes;
}

}  // namespace my
