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
inline std::int64_t position_in_storage(const Layout& layout, const Dims& index) {
  // TODO: 1 begin where the tensor begins, 2 take the steps along each dimension.
  not_done_yet("01_tensors/position_in_storage");
}

}  // namespace my
