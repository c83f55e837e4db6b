// What runs in which type (lecture 3.5), and how a loss scale is found (lecture 3.2).
#pragma once
#include <string>
#include <string_view>

#include "common/core/device.h"
#include "common/numeric/dtype.h"

namespace napkin {

// The type in which autocast to BF16 runs an operation on such operands: seen in a scope for the
// operations of this library, read from the table for others.
std::string autocast_type(std::string_view operation, Device device, DType operand);

// The principles, and what autocast makes of some operations on the CPU and on CUDA.
void print_types();

// Dynamic loss scaling, step by step, where the largest gradient is always the same: the scale
// becomes smaller until FP16 holds the product, and larger again after some good steps.
void print_dynamic_scaling(double gradient);

}  // namespace napkin
