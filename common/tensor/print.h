// A tensor as text, as PyTorch prints it: aligned columns, an ellipsis where there are more than
// 1000 elements, dtype and device named where they are not fp32 on the cpu.
#pragma once
#include <iosfwd>
#include <string>

#include "common/tensor/tensor.h"

namespace napkin {

std::string to_string(const Tensor& x);
std::ostream& operator<<(std::ostream& out, const Tensor& x);

}  // namespace napkin
