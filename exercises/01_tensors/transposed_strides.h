// Exercise 01.3: the strides of a transposed tensor (lecture 2.3, exercise 2).
// Edit my/01_tensors/transposed_strides.h only. Check: ./lecture grade transposed_strides
#pragma once
#include <utility>  // std::swap(a, b)

#include "common/tensor/dims.h"  // Shape and Strides: s[i], s.size(), Strides(count, value)
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// x is a new, contiguous tensor of this shape. The strides of x.transpose(a, b), counted in
// elements. No size is 0; a and b are dimensions from 0 to the rank less 1, and may be equal.
//
// 题目：x 是这种形状的新张量，连续存放。求 x.transpose(a, b) 的步长，以元素计。各维大小都不为 0；
// a 与 b 是维度，从 0 到维数减 1，可以相等。
inline Strides transposed_strides(const Shape& shape, int a, int b) {
  // TODO: 1 the strides of x, 2 what transpose makes of them.
  // 待办：1 x 的步长；2 transpose 把它们变成什么。
  not_done_yet("01_tensors/transposed_strides");
}

}  // namespace my
