// A mistake: multiplies in 32 bits.
#pragma once
#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline std::int64_t tensor_bytes(const Shape& shape, DType dtype) {
  std::uint32_t bytes = static_cast<std::uint32_t>(size_of(dtype));
  for (const std::int64_t size : shape) bytes *= static_cast<std::uint32_t>(size);
  return static_cast<std::int32_t>(bytes);
}

}  // namespace my
