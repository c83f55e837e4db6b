// A plain number as an element of a dtype.
#pragma once
#include <cstddef>

#include "common/tensor/scalar.h"

namespace napkin {

// Refuses a number that the dtype cannot hold, as PyTorch does: too large, or infinite or NaN for
// an integer. Fractions are cut off. For unsigned dtypes -1 stands for the largest number, -2 for
// the one before it, and so on. `what` names the operation.
void check_fits(Scalar value, DType dtype, const char* what);

// Writes the element: the rule of convert.h.
void store_number(Scalar value, DType dtype, std::byte* to);

}  // namespace napkin
