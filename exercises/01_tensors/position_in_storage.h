// Exercise 01.2: where an element stands in the storage (lecture 2.3, exercise 2).
// Edit my/01_tensors/position_in_storage.h only. Check: ./lecture grade position_in_storage
#pragma once
#include "common/tensor/layout.h"  // Layout: shape, strides, offset, rank()
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// The position of one element in the storage, the strip of memory, counted in elements from its
// beginning. index: one number for each dimension, from 0 to the size less 1. The tensor may be a
// view of any kind: layout.strides and layout.offset say where its elements are; also they count
// elements. A tensor without dimensions has one element, with the index ().
//
// 题目：一个元素在存储（那条内存长带）中的位置，从开头数起，以元素计。index：每一维一个数，
// 从 0 到该维大小减 1。张量可以是任何视图：元素在哪里，由 layout.strides 与 layout.offset 说明，
// 它们也以元素计。没有维度的张量有一个元素，下标是 ()。
inline std::int64_t position_in_storage(const Layout& layout, const Dims& index) {
  // TODO: 1 begin where the tensor begins, 2 take the steps along each dimension.
  // 待办：1 从张量的起点开始；2 沿每一维走若干步。
  not_done_yet("01_tensors/position_in_storage");
}

}  // namespace my
