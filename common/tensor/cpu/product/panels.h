// Blocks of matrices made ready for the loops of products: widened to the compute type and packed.
#pragma once
#include "common/tensor/cpu/product/loops.h"
#include "common/tensor/rules/matrices.h"

namespace napkin::cpu {

// The part that begins at (i, j).
inline Matrix part(const Matrix& x, DType dtype, std::int64_t i, std::int64_t j) {
  return {x.data + (i * x.row + j * x.column) * size_of(dtype), x.row, x.column};
}

// Elements `step` apart become unbroken ones of the compute type, and the other way round.
void widen_line(std::byte* to, const std::byte* from, DType dtype, std::int64_t step,
                std::int64_t count);
void narrow_line(std::byte* to, DType dtype, std::int64_t step, const std::byte* from,
                 std::int64_t count);

// x (rows, columns) as the loops want a, at product_row_step.
void pack_rows(std::byte* to, const Matrix& x, DType dtype, std::int64_t rows,
               std::int64_t columns);
// x (rows, columns) as they want b.
void pack_panels(std::byte* to, const Matrix& x, DType dtype, std::int64_t rows,
                 std::int64_t columns, std::int64_t panel);

}  // namespace napkin::cpu
