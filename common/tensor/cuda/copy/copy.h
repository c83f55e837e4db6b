// Copies and fills on the GPU. They return at once; the work is in the stream (gpu/stream.h).
#pragma once
#include "common/tensor/tensor.h"

namespace napkin::cuda {

// As copy_elements (copy.h), for tensors with elements on cuda.
void copy(const Tensor& destination, const Tensor& source, Overflow overflow);

// Writes the number, converted, to every element; there are some.
void fill(const Tensor& x, Scalar value);

}  // namespace napkin::cuda
