// Layouts: shape, strides and offset. No memory is touched here.
//
// An element with index (i, j, k) stands in the storage at offset + i*strides[0] + j*strides[1] +
// k*strides[2] (lecture 2.3). Strides and offsets count elements, not bytes. Names and rules follow
// PyTorch; dimensions may be given from the end (-1 is the last). Everything is 64 bits wide and
// every product of sizes is checked. Every function refuses bad input with napkin::Error.
#pragma once
#include <cstdint>

#include "common/tensor/dims.h"

namespace napkin {

struct Layout {
  Shape shape;
  Strides strides;
  std::int64_t offset = 0;

  int rank() const { return shape.size(); }
};

// a times b and a plus b, for sizes, strides and positions; refuse what passes 2^63 - 1.
std::int64_t multiply(std::int64_t a, std::int64_t b);
std::int64_t add(std::int64_t a, std::int64_t b);

// Product of the sizes; refuses negative sizes and products (also those of the nonzero sizes
// alone, as strides are made of them) past 2^63 - 1.
std::int64_t count_elements(const Shape& shape);

// Whether no size is 0.
bool has_elements(const Shape& shape);

// Row-major strides of a new tensor: the last dimension has stride 1. A dimension of size 0 counts
// as 1, as in PyTorch.
Strides contiguous_strides(const Shape& shape);

// The dimension d counted from 0; refuses what is not in [-rank, rank - 1]. A 0-dimensional tensor
// counts as having one dimension, as in PyTorch: 0 and -1 do.
int wrap_dimension(std::int64_t d, int rank);

// The index along dimension d counted from 0; refuses what is not in [-size, size - 1].
std::int64_t wrap_index(std::int64_t index, const Shape& shape, int d);

// Whether the elements stand side by side in row-major order. Strides of dimensions of size 1 do
// not matter, as no step is ever taken along them; nor do any where there are no elements.
bool is_contiguous(const Layout& layout);

// Whether the elements fill an unbroken stretch of storage, each place once, in any order.
bool is_dense(const Layout& layout);

// Position in the storage of one index (one number per dimension, negative ones from the end).
std::int64_t position(const Layout& layout, const Dims& index);

// The shape of an elementwise result: sizes from the right are equal, or one of them is 1.
Shape broadcast(const Shape& a, const Shape& b);

}  // namespace napkin
