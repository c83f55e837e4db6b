// Matrix products of Variables: as those of tensors (operations/matmul.h), with gradients. Each
// gradient takes as many FLOPs as the product itself: 2 m n k; one that nobody asked for takes none
// (lecture 5.3).
#pragma once
#include "common/autograd/variable.h"

namespace napkin::autograd {

Variable matmul(const Variable& a, const Variable& b);

}  // namespace napkin::autograd
