#include "common/tensor/cpu/product/panels.h"

#include <algorithm>
#include <cstring>

#include "common/tensor/cpu/copy/convert_loops.h"
#include "common/tensor/cpu/copy/loops.h"

namespace napkin::cpu {
namespace {

constexpr std::int64_t tile_rows = 256;

template <class Unsigned>
void copy_steps(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step,
                std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step * static_cast<std::int64_t>(sizeof(Unsigned)),
                from + i * from_step * static_cast<std::int64_t>(sizeof(Unsigned)),
                sizeof(Unsigned));
}

void copy_line(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step,
               std::int64_t count, std::int64_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return copy_steps<std::uint8_t>(to, to_step, from, from_step, count);
    case 2:
      return copy_steps<std::uint16_t>(to, to_step, from, from_step, count);
    case 4:
      return copy_steps<std::uint32_t>(to, to_step, from, from_step, count);
    default:
      return copy_steps<std::uint64_t>(to, to_step, from, from_step, count);
  }
}

// A (rows, columns) block of compute elements, its rows row_step apart.
void widen_block(std::byte* to, std::int64_t row_step, const Matrix& x, DType dtype,
                 std::int64_t rows, std::int64_t columns) {
  const std::int64_t size = size_of(compute_type(dtype));
  if (x.column == 1 && dtype == compute_type(dtype)) {
    const auto bytes = static_cast<std::size_t>(columns * size);
    for (std::int64_t i = 0; i < rows; ++i)
      std::memcpy(to + i * row_step * size, x.data + i * x.row * size, bytes);
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i)
    widen_line(to + i * row_step * size, part(x, dtype, i, 0).data, dtype, x.column, columns);
}

// Compute elements whose columns are unbroken become rows.
void turn(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step,
          std::int64_t rows, std::int64_t columns, std::int64_t size) {
  transpose(to, to_step, from, from_step, columns, rows, size);
}

// The same for elements that are still to be widened, by tiles that stay in the cache.
void turn_block(std::byte* to, std::int64_t row_step, const Matrix& x, DType dtype,
                std::int64_t rows, std::int64_t columns) {
  const DType compute = compute_type(dtype);
  const std::int64_t size = size_of(compute);
  if (dtype == compute) return turn(to, row_step, x.data, x.column, rows, columns, size);
  constexpr std::int64_t tile_columns = 16;
  alignas(64) std::byte wide[tile_rows * tile_columns * 8];
  for (std::int64_t i = 0; i < rows; i += tile_rows)
    for (std::int64_t j = 0; j < columns; j += tile_columns) {
      const std::int64_t here = std::min(tile_rows, rows - i),
                         lines = std::min(tile_columns, columns - j);
      for (std::int64_t l = 0; l < lines; ++l)
        widen_line(wide + l * tile_rows * size, part(x, dtype, i, j + l).data, dtype, x.row, here);
      turn(to + (i * row_step + j) * size, row_step, wide, tile_rows, here, lines, size);
    }
}

void pack_block(std::byte* to, std::int64_t row_step, const Matrix& x, DType dtype,
                std::int64_t rows, std::int64_t columns) {
  if (rows == 0 || columns == 0) return;
  if (x.row == 1 && x.column != 1)
    turn_block(to, row_step, x, dtype, rows, columns);
  else
    widen_block(to, row_step, x, dtype, rows, columns);
}

}  // namespace

void widen_line(std::byte* to, const std::byte* from, DType dtype, std::int64_t step,
                std::int64_t count) {
  const DType compute = compute_type(dtype);
  if (count == 0) return;
  if (step == 1 || count == 1) return convert_all(to, compute, from, dtype, count);
  alignas(64) std::byte line[tile_rows * 8];
  const std::int64_t size = size_of(dtype);
  for (std::int64_t i = 0; i < count; i += tile_rows) {
    const std::int64_t here = std::min(tile_rows, count - i);
    copy_line(line, 1, from + i * step * size, step, here, size);
    convert_all(to + i * size_of(compute), compute, line, dtype, here);
  }
}

void narrow_line(std::byte* to, DType dtype, std::int64_t step, const std::byte* from,
                 std::int64_t count) {
  const DType compute = compute_type(dtype);
  if (count == 0) return;
  if (step == 1 || count == 1) return convert_all(to, dtype, from, compute, count);
  alignas(64) std::byte line[tile_rows * 8];
  const std::int64_t size = size_of(dtype);
  for (std::int64_t i = 0; i < count; i += tile_rows) {
    const std::int64_t here = std::min(tile_rows, count - i);
    convert_all(line, dtype, from + i * size_of(compute), compute, here);
    copy_line(to + i * step * size, step, line, 1, here, size);
  }
}

void pack_rows(std::byte* to, const Matrix& x, DType dtype, std::int64_t rows,
               std::int64_t columns) {
  pack_block(to, product_row_step, x, dtype, rows, columns);
}

void pack_panels(std::byte* to, const Matrix& x, DType dtype, std::int64_t rows,
                 std::int64_t columns, std::int64_t panel) {
  const std::int64_t size = size_of(compute_type(dtype));
  for (std::int64_t j = 0; j < columns; j += panel)
    pack_block(to + j * rows * size, panel, part(x, dtype, 0, j), dtype, rows,
               std::min(panel, columns - j));
}

}  // namespace napkin::cpu
