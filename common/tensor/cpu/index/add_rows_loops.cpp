// foreach_target.h includes this file once for each instruction set.
#include "common/tensor/cpu/index/add_rows_loops.h"

#include <algorithm>
#include <cstddef>

#include "common/tensor/rules/sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/index/add_rows_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::int64_t ahead = 8;  // rows that are asked for before their turn

// Sums of some columns: of the run at hand, and of those before it.
template <class T, int width>
struct ColumnSums {
  Accumulator<T> sum[width], total[width];
  bool is_first = true;

  void load(const Accumulator<T>* sums, int columns) {
    for (int c = 0; c < columns; ++c) sum[c] = sums[c];
  }
  void next_run(int columns) {
    for (int c = 0; c < columns; ++c) {
      total[c] = is_first ? sum[c] : total[c] + sum[c];
      sum[c] = 0;
    }
    is_first = false;
  }
  void store(Accumulator<T>* sums, int columns) {
    for (int c = 0; c < columns; ++c) sums[c] = is_first ? sum[c] : total[c] + sum[c];
  }
};

struct Runs {
  std::int64_t length, end;
  bool passes(std::int64_t row) {
    if (row < end) return false;
    end = (row / length + 1) * length;
    return true;
  }
};

// So many columns that their sums stay in registers or in the nearest cache; side by side.
template <class T, int width>
HWY_INLINE void add_tile(Accumulator<T>* sums, const Rows& rows, std::int64_t first,
                         const std::int64_t* order, std::int64_t count, std::int64_t known,
                         Runs runs) {
  ColumnSums<T, width> tile;
  tile.load(sums, width);
  const std::byte* data = rows.data + first * static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t n = 0; n < count; ++n) {
    const auto* row = reinterpret_cast<const T*>(data + order[n] * rows.step);
    if (runs.passes(order[n])) tile.next_run(width);
    if (n + ahead < known) {
      const std::byte* next = data + order[n + ahead] * rows.step;
      for (std::size_t b = 0; b < width * sizeof(T); b += 64) __builtin_prefetch(next + b);
    }
    for (int c = 0; c < width; ++c) tile.sum[c] += widen<T>(row[c]);
  }
  tile.store(sums, width);
}

// Fewer columns, any steps.
template <class T, int width>
void add_columns(Accumulator<T>* sums, int columns, const Rows& rows, std::int64_t first,
                 const std::int64_t* order, std::int64_t count, Runs runs) {
  ColumnSums<T, width> tile;
  tile.load(sums, columns);
  const std::byte* data = rows.data + first * rows.column_step;
  for (std::int64_t n = 0; n < count; ++n) {
    if (runs.passes(order[n])) tile.next_run(columns);
    const std::byte* row = data + order[n] * rows.step;
    for (int c = 0; c < columns; ++c)
      tile.sum[c] += widen<T>(*reinterpret_cast<const T*>(row + c * rows.column_step));
  }
  tile.store(sums, columns);
}

template <class T>
void add_rows(void* sums, std::int64_t columns, const Rows& rows, const std::int64_t* order,
              std::int64_t count, std::int64_t known, std::int64_t run) {
  constexpr int width = 64;
  auto* s = static_cast<Accumulator<T>*>(sums);
  const Runs runs{run, run};
  for (std::int64_t c = 0; c < columns; c += width)
    if (c + width <= columns && rows.column_step == sizeof(T))
      add_tile<T, width>(s + c, rows, c, order, count, known, runs);
    else
      add_columns<T, width>(s + c, static_cast<int>(std::min<std::int64_t>(width, columns - c)),
                            rows, c, order, count, runs);
}

// FP8 and the smaller integers are rare here: the baseline has loops for them, other levels none.
AddRows find_add_rows(DType dtype) {
  return visit(dtype, [](auto tag) -> AddRows {
    using T = typename decltype(tag)::Type;
    constexpr bool is_usual = dtype_of<T> < DType::e4m3fn || dtype_of<T> == DType::int64;
    if constexpr (is_usual || HWY_TARGET == HWY_STATIC_TARGET) return add_rows<T>;
    return nullptr;
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_add_rows);
AddRows add_rows_loop(DType dtype) {
  const AddRows best = HWY_DYNAMIC_DISPATCH(find_add_rows)(dtype);
  return best != nullptr ? best : HWY_STATIC_DISPATCH(find_add_rows)(dtype);
}

}  // namespace napkin::cpu
#endif
