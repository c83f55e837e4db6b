// Exercise 01.4: whether a tensor is contiguous (lecture 2.3).
// Edit my/01_tensors/is_contiguous.h only. Check: ./lecture grade is_contiguous
#pragma once
#include "common/tensor/dims.h"  // Shape and Strides: s[i], s.size()
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// Whether the elements stand side by side in row-major order: whoever visits them in the order of
// their indices, the last one counting fastest, goes one place forward each time. Only where
// elements are matters: along a dimension of size 1 no step is taken, and a tensor with a size of 0
// has no elements and is contiguous. Strides count elements and are not negative.
//
// 题目：元素是否按行优先顺序一个挨一个地存放：按下标的次序访问（最后一个下标变得最快），
// 每次正好前进一格。只看元素在哪里：大小为 1 的维度不会迈步；有某一维大小为 0 的张量没有元素，
// 算连续。步长以元素计，不为负。
inline bool is_contiguous(const Shape& shape, const Strides& strides) {
  // TODO: 1 tensors without elements, 2 from the last dimension to the first: the stride that row-
  // major order asks for, and whether it is the one that is there.
  // 待办：1 没有元素的张量；2 从最后一维到第一维：行优先要求的步长是多少，实际的是不是它。
  not_done_yet("01_tensors/is_contiguous");
}

}  // namespace my
