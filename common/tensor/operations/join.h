// cat and stack: tensors one behind the other along a dimension, or along a new one.
//
// dtypes promote as torch.result_type (elementwise.h). The result is contiguous; PyTorch's keeps
// channels-last. Observers hear of one copy for each tensor.
#pragma once
#include <span>

#include "common/tensor/tensor.h"

namespace napkin {

// Shapes are equal but along dim; as in PyTorch, tensors of shape [0] fit everywhere. Refuses an
// empty list and 0-dimensional tensors.
Tensor cat(std::span<const Tensor> tensors, int dim = 0);
inline Tensor cat(std::initializer_list<Tensor> tensors, int dim = 0) {
  return cat(std::span(tensors.begin(), tensors.size()), dim);
}

// Shapes are equal; result.select(dim, n) is the nth tensor.
Tensor stack(std::span<const Tensor> tensors, int dim = 0);
inline Tensor stack(std::initializer_list<Tensor> tensors, int dim = 0) {
  return stack(std::span(tensors.begin(), tensors.size()), dim);
}

}  // namespace napkin
