// Exercise 01.1: how many bytes a tensor takes (lecture 2.2, exercise 1).
#pragma once
#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

using namespace napkin;

namespace my {

inline std::int64_t tensor_bytes(const Shape& shape, DType dtype) {
  std::int64_t bytes = size_of(dtype);  // 64 bits: GPT-3's matrix has 2.4e9 of them
  for (const std::int64_t size : shape) bytes *= size;
  return bytes;
}

}  // namespace my
