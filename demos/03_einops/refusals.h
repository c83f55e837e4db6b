// What patterns refuse (lecture 4.2).
#pragma once
#include <cstdint>

#include "common/tensor/tensor.h"

namespace napkin {

// Prints what einops says of five wrong lines about x (batch, seq, heads x dim).
void print_pattern_refusals(const Tensor& x, std::int64_t heads);

}  // namespace napkin
