// Operations along one dimension on the CPU. The tensor is cut into tiles of some lines each, small
// enough to stay in a cache between the passes over them.
#include "common/tensor/cpu/reduce/rows.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/cpu/stream.h"
#include "common/tensor/cpu/workspace.h"
#include "common/tensor/create.h"
#include "common/tensor/views.h"

namespace napkin::cpu {
namespace {

// A tensor as (outer, n, inner), n the dimension of the lines.
struct Lines {
  std::int64_t outer = 1, n, inner = 1;
  Strides strides;
  Tensor x;  // the operand, copied where it cannot be seen that way

  Lines(const Tensor& operand, int d) : n(operand.rank() == 0 ? 1 : operand.size(d)), x(operand) {
    for (int i = 0; i < operand.rank(); ++i)
      if (i != d) (i < d ? outer : inner) *= operand.size(i);
    const Shape shape{outer, n, inner};
    if (const auto found = view_strides(operand.layout(), shape)) {
      strides = *found;
      return;
    }
    x = empty(operand.shape(), {.dtype = operand.dtype(), .category = Category::temporary});
    copy(x, operand);
    strides = contiguous_strides(shape);
  }
};

// Where a tile stands: its first element in the operand and in the result.
struct TilePlace {
  std::int64_t rows, columns, x, result;
};

class Run {
 public:
  Run(RowOperation operation, const Tensor& result, const Tensor& x, int d)
      : lines_(x, d),
        loops_(row_loops(operation, x.dtype())),
        compute_(compute_type(x.dtype())),
        size_(size_of(compute_)),
        result_(result),
        along_rows_(lines_.inner == 1) {
    const auto [outer, n, inner] =
        std::array{lines_.strides[0], lines_.strides[1], lines_.strides[2]};
    walk_.operands = 1;
    walk_.shape = along_rows_ ? Shape{lines_.n, lines_.outer} : Shape{lines_.inner, lines_.n};
    walk_.strides[0] = along_rows_ ? Strides{n, outer} : Strides{inner, n};
    reads_in_place_ = x.dtype() == compute_ && (along_rows_ || operation == RowOperation::cumsum) &&
                      (walk_.strides[0][0] == 1 || walk_.shape[0] == 1);
    writes_in_place_ =
        result.dtype() == compute_ && !(along_rows_ && result.bytes() >= streaming_bytes);
    const bool is_across = walk_.strides[0][1] < walk_.strides[0][0];
    walk_.columns = std::min(walk_.shape[0], is_across ? short_row : Walk::box_elements);
    walk_.rows = Walk::box_elements / walk_.columns;
    choose_tile(operation);
  }

  void run() {
    const std::int64_t elements = lines_.n * lines_in_tile_;
    parallel_for(tiles_, std::max<std::int64_t>(1, (32 << 10) / elements),
                 [&](std::int64_t first, std::int64_t last) {
                   const Workspace<std::byte> scratch(
                       scratch_bytes(lines_.n, along_rows_ ? 1 : lines_in_tile_)),
                       x(reads_in_place_ ? 0 : elements * size_),
                       y(writes_in_place_ ? 0 : elements * size_);
                   BoxReader reader;
                   reader.open(walk_, operand(), compute_, compute_);
                   for (std::int64_t t = first; t < last; ++t)
                     compute(place(t), reader, x.data(), y.data(), scratch.data());
                   stream_fence();
                 });
  }

 private:
  static constexpr std::int64_t tile_bytes = 1 << 20, row_bytes = 32 << 10, short_row = 64;

  // Rows: in the nearest cache, but some at once where they are summed up side by side or brought
  // together from columns. Columns: all of a line in the next cache, and whole cache lines.
  void choose_tile(RowOperation operation) {
    const std::int64_t line = lines_.n * size_;
    if (along_rows_) {
      const std::int64_t fewest = reads_in_place_ && operation != RowOperation::cumsum ? 1 : 16;
      lines_in_tile_ = std::min(lines_.outer, std::max(fewest, row_bytes / line));
      tiles_ = (lines_.outer - 1) / lines_in_tile_ + 1;
    } else {
      lines_in_tile_ =
          std::min(lines_.inner, std::clamp<std::int64_t>(tile_bytes / line / 16 * 16, 16, 1024));
      tiles_ = lines_.outer * ((lines_.inner - 1) / lines_in_tile_ + 1);
    }
  }

  Operand operand() const {
    return {0, lines_.x.dtype(), static_cast<std::byte*>(lines_.x.raw_data())};
  }

  TilePlace place(std::int64_t tile) const {
    const Strides& s = lines_.strides;
    if (along_rows_) {
      const std::int64_t first = tile * lines_in_tile_;
      return {std::min(lines_in_tile_, lines_.outer - first), lines_.n, first * s[0],
              first * lines_.n};
    }
    const std::int64_t across = (lines_.inner - 1) / lines_in_tile_ + 1;
    const std::int64_t outer = tile / across, first = tile % across * lines_in_tile_;
    return {lines_.n, std::min(lines_in_tile_, lines_.inner - first), outer * s[0] + first * s[2],
            outer * lines_.n * lines_.inner + first};
  }

  void compute(const TilePlace& at, BoxReader& reader, std::byte* x, std::byte* y,
               std::byte* scratch) const {
    const std::int64_t result_step = along_rows_ ? lines_.n : lines_.inner;
    auto* result =
        static_cast<std::byte*>(result_.raw_data()) + at.result * size_of(result_.dtype());
    Tile tile{y, at.columns, x, at.columns, at.rows, at.columns, x, scratch};
    if (reads_in_place_) {
      tile.x = operand().data + at.x * size_;
      tile.step = walk_.strides[0][1];
    } else {
      read(x, at, reader);
    }
    if (writes_in_place_) {
      tile.result = result;
      tile.result_step = result_step;
    }
    (along_rows_ ? loops_.rows : loops_.columns)(tile);
    if (!writes_in_place_) write(result, result_step, y, at);
  }

  void read(std::byte* to, const TilePlace& at, BoxReader& reader) const {
    for (std::int64_t row = 0; row < at.rows; row += walk_.rows)
      for (std::int64_t column = 0; column < at.columns; column += walk_.columns) {
        Box box{
            std::min(walk_.columns, at.columns - column), std::min(walk_.rows, at.rows - row), {}};
        box.start[0] = at.x + column * walk_.strides[0][0] + row * walk_.strides[0][1];
        const auto* from = static_cast<const std::byte*>(reader.read(box));
        const std::int64_t bytes = box.columns * size_;
        for (std::int64_t r = 0; r < box.rows; ++r)
          std::memcpy(to + ((row + r) * at.columns + column) * size_, from + r * bytes,
                      static_cast<std::size_t>(bytes));
      }
  }

  void write(std::byte* result, std::int64_t result_step, const std::byte* y,
             const TilePlace& at) const {
    if (along_rows_ && result_.dtype() == compute_)
      return stream(result, y, at.rows * at.columns * size_);
    const std::int64_t size = size_of(result_.dtype());
    for (std::int64_t r = 0; r < at.rows; ++r)
      convert_all(result + r * result_step * size, result_.dtype(), y + r * at.columns * size_,
                  compute_, at.columns);
  }

  Lines lines_;
  RowLoops loops_;
  DType compute_;
  std::int64_t size_;
  Tensor result_;
  bool along_rows_, reads_in_place_, writes_in_place_;
  Walk walk_;  // of one (rows, columns) of the operand; its boxes are what is read at once
  std::int64_t lines_in_tile_, tiles_;
};

}  // namespace

void run_along(RowOperation operation, const Tensor& result, const Tensor& x, int d) {
  Run(operation, result, x, d).run();
}

}  // namespace napkin::cpu
