// Loops of the operations along one dimension (softmax, cumulative sums), compiled for several
// instruction sets; equal bits at every level, and whether lines are rows or columns.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"
#include "common/tensor/rules/softmax.h"

namespace napkin::cpu {

// Numbers of a compute type (loops.h), each row unbroken. The result may not be the operand.
struct Tile {
  void* result;
  std::int64_t result_step;  // numbers from one row to the next
  const void* x;
  std::int64_t step;
  std::int64_t rows, columns;
  void* powers;   // room for the tile, unbroken: for softmax of columns; may be x
  void* scratch;  // scratch_bytes
};

struct RowLoops {
  void (*rows)(const Tile& tile);     // every row is a line
  void (*columns)(const Tile& tile);  // every column is one
};

// `dtype` is that of the tensor.
RowLoops row_loops(RowOperation operation, DType dtype);

// For lines of n numbers, so many of them side by side.
std::int64_t scratch_bytes(std::int64_t n, std::int64_t columns);

}  // namespace napkin::cpu
