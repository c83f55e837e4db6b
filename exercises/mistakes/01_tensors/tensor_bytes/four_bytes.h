// A mistake: counts every element with the four bytes of fp32.
#pragma once
#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline std::int64_t tensor_bytes(const Shape& shape, DType dtype) {
  std::int64_t bytes = 4;
  for (const std::int64_t size : shape) bytes *= size;
  return bytes;
}

}  // namespace my
