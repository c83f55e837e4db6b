// The order in which the elements of several tensors of one shape are visited together.
//
// An elementwise operation may visit its elements in any order; memory prefers one in which the
// result is written from its first byte to its last, in long rows. A Walk is that order: dimensions
// sorted by stride (the result's first), those of size 1 dropped, neighbours merged where every
// tensor steps evenly from one into the next. Two contiguous tensors of any shape become one row.
// The walk is then cut into boxes of about a thousand elements, small enough for the nearest cache.
//
// Words of the engines, here and in cuda/:
//   run     elements that follow each other without a gap, in memory or in the order of an index
//   line    the elements of a tensor along one dimension (a cache line: 64 bytes of memory)
//   box     a part of a walk: some columns of its first dimension, some rows of its second
//   tile    a part of a matrix that a loop holds in registers or in the nearest cache
//   panel   columns of a matrix, packed side by side for a product's loops
//   lane    a place in a vector of the processor, or what goes its way through a sum
// Rows and columns are those of matrices and boxes; a part is a part of anything.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "common/tensor/order.h"

namespace napkin {

struct Walk {
  static constexpr int most = 5;  // a result and four operands
  static constexpr std::int64_t box_elements = 1024;

  int operands = 0;
  Shape shape;  // at least two dimensions: the fastest, then the one along which some operand is
                // faster still, if there is one, then the others from the fastest to the slowest
  std::array<Strides, most> strides;  // in elements; 0 where an operand is repeated
  std::int64_t columns = 1;           // the largest box, along the first dimension
  std::int64_t rows = 1;              // and along the second

  std::int64_t boxes() const;
};

// A part of the walk: some columns of its first dimension, some rows of its second, and where each
// operand's first element stands, counted from the operand's own first element.
struct Box {
  std::int64_t columns, rows;
  std::array<std::int64_t, Walk::most> start;
};

// The walk over layouts of equal shapes; the first is the one that is written.
Walk plan_walk(std::span<const Layout* const> layouts);

// The box of that number, counted along the first dimension first.
Box box_at(const Walk& walk, std::int64_t number);

}  // namespace napkin
