// The order in which the dimensions of a tensor stand in memory, and the strides that keep it:
// results have their operands' order, as PyTorch's do.
#pragma once
#include <span>

#include "common/tensor/layout.h"

namespace napkin {

// The dimensions from the fastest to the slowest, as PyTorch orders those of a new result: by the
// strides of the first tensor, where these do not decide (equal, or 0) by the next one's. All have
// the same number of dimensions.
Dims element_order(std::span<const Layout* const> layouts);

// The strides of a new, unbroken tensor whose dimensions have that order.
Strides strides_in_order(const Shape& shape, const Dims& order);

// Strides for a result computed from the tensors: what PyTorch calls preserving the format.
Strides preserved_strides(const Shape& shape, std::span<const Layout* const> layouts);

// Strides of a new tensor that keeps the order of another one's dimensions in memory: the same
// strides where that one is dense, else those without its gaps (PyTorch's preserve_format).
Strides strides_like(const Layout& layout);

}  // namespace napkin
