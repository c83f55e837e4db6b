// Copies and fills on the CPU, as fast as memory allows: one run past the caches, strided
// copies by the loop that fits them (strided.h), conversions box by box (boxes.h).
#pragma once
#include "common/numeric/convert.h"
#include "common/tensor/tensor.h"

namespace napkin::cpu {

// Of equal shapes, any layouts and dtypes; there are elements, and they do not overlap.
void copy(const Tensor& destination, const Tensor& source, Overflow overflow);
inline void copy(const Tensor& destination, const Tensor& source) {
  copy(destination, source, usual_overflow(destination.dtype()));
}

void fill(const Tensor& x, Scalar value);

}  // namespace napkin::cpu
