// A tensor as text, as PyTorch prints it: aligned columns, an ellipsis where there are more than
// 1000 elements, dtype and device named where they do not show.
#pragma once
#include <iosfwd>
#include <string>

#include "common/tensor/tensor.h"

namespace napkin {

// "tensor([[0.1000, 2.0000]], dtype=fp64)"; "tensor(undefined)" for what was never assigned.
std::string to_string(const Tensor& x);
std::ostream& operator<<(std::ostream& out, const Tensor& x);

}  // namespace napkin
