// Exercise 01.1: how many bytes a tensor takes (lecture 2.2, exercise 1).
// Edit my/01_tensors/tensor_bytes.h only. Check: ./lecture grade tensor_bytes
#pragma once
#include "common/numeric/dtype.h"  // DType, size_of(dtype)
#include "common/tensor/dims.h"    // Shape: shape[i], shape.size(), for (std::int64_t n : shape)
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// The bytes of memory that the elements of a tensor of this shape and type take. A tensor without
// dimensions, shape (), has one element.
//
// 题目：这种形状与类型的张量，其元素占多少字节内存。没有维度的张量，形状 ()，有一个元素。
inline std::int64_t tensor_bytes(const Shape& shape, DType dtype) {
  // TODO: count the elements, then the bytes of each.
  // 待办：先数元素，再乘每个元素的字节数。
  not_done_yet("01_tensors/tensor_bytes");
}

}  // namespace my
