// Draws a storage as the strip of cells it is, and the cells that a view touches.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin {

// Positions in the storage of the view's elements, in the order of its indices (row-major).
std::vector<std::int64_t> positions(const Tensor& view);

// " 0  1  2  3 |  4  .  .": one cell for each element of the storage, touched ones by their
// number and others as a dot, a bar after each `row` of them. Empty where it would be wider than
// `columns`.
std::string strip(const Tensor& view, std::int64_t row, int columns = 90);

// "0 4 8 | 1 5 9": the cells in the order in which the view walks them, a bar after each row of the
// view. Empty where it would be wider than `columns`.
std::string walk(const Tensor& view, int columns = 90);

// "1 x 4 + 2 x 1": how an element's position comes about (lecture 2.3), with the offset in front
// where there is one. Negative indices are counted from the end.
std::string position_sum(const Tensor& view, const std::vector<std::int64_t>& index);

// "(4, 1)", as the lecture writes shapes and strides.
std::string tuple(const Dims& dims);

// "12288 x 49152"; "scalar" for no dimensions.
std::string times(const Shape& shape);

}  // namespace napkin
