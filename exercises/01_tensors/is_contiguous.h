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
inline bool is_contiguous(const Shape& shape, const Strides& strides) {
  // TODO: 1 tensors without elements, 2 from the last dimension to the first: the stride that row-
  // major order asks for, and whether it is the one that is there.
  not_done_yet("01_tensors/is_contiguous");
}

}  // namespace my
