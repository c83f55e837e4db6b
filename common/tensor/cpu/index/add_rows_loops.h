// Sums of rows in a given order, compiled for several instruction sets.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"

namespace napkin::cpu {

// Rows of elements somewhere in memory; steps in bytes.
struct Rows {
  const std::byte* data;
  std::int64_t step;         // from one row to the next
  std::int64_t column_step;  // from one element of a row to the next
};

// Adds to sums[c], which holds x's value, element c of row order[0], then of row order[1] ... in
// the order of index.h: `order` counts upwards, and a row number that passes a multiple of
// `run` begins a new sum. Sums are of the dtype's compute type (numeric/dtype.h). The
// rows order[count] to order[known - 1] will be asked for next.
using AddRows = void (*)(void* sums, std::int64_t columns, const Rows& rows,
                         const std::int64_t* order, std::int64_t count, std::int64_t known,
                         std::int64_t run);
AddRows add_rows_loop(DType dtype);

}  // namespace napkin::cpu
