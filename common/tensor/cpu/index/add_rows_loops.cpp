// foreach_target.h includes this file once for each instruction set.
#include <algorithm>
#include <cstddef>

#include "common/tensor/cpu/index/add_rows_loops.h"
#include "common/tensor/rules/sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/index/add_rows_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::int64_t ahead = 8;  // rows that are asked for before their turn

// Sums of some columns: of the stretch at hand, and of those before it.
template <class T, int width>
struct Tile {
  Accumulator<T> sum[width], total[width];
  bool is_first = true;

  void load(const Accumulator<T>* sums, int columns) {
    for (int c = 0; c < columns; ++c) sum[c] = sums[c];
  }
  void next_stretch(int columns) {
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

struct Stretches {
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
                         Stretches stretches) {
  Tile<T, width> tile;
  tile.load(sums, width);
  const std::byte* data = rows.data + first * static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t n = 0; n < count; ++n) {
    const auto* row = reinterpret_cast<const T*>(data + order[n] * rows.step);
    if (stretches.passes(order[n])) tile.next_stretch(width);
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
                 const std::int64_t* order, std::int64_t count, Stretches stretches) {
  Tile<T, width> tile;
  tile.load(sums, columns);
  const std::byte* data = rows.data + first * rows.column_step;
  for (std::int64_t n = 0; n < count; ++n) {
    if (stretches.passes(order[n])) tile.next_stretch(columns);
    const std::byte* row = data + order[n] * rows.step;
    for (int c = 0; c < columns; ++c)
      tile.sum[c] += widen<T>(*reinterpret_cast<const T*>(row + c * rows.column_step));
  }
  tile.store(sums, columns);
}

template <class T>
void add_rows(void* sums, std::int64_t columns, const Rows& rows, const std::int64_t* order,
              std::int64_t count, std::int64_t known, std::int64_t stretch) {
  constexpr int width = 64;
  auto* s = static_cast<Accumulator<T>*>(sums);
  const Stretches stretches{stretch, stretch};
  for (std::int64_t c = 0; c < columns; c += width)
    if (c + width <= columns && rows.column_step == sizeof(T))
      add_tile<T, width>(s + c, rows, c, order, count, known, stretches);
    else
      add_columns<T, width>(s + c, static_cast<int>(std::min<std::int64_t>(width, columns - c)),
                            rows, c, order, count, stretches);
}

AddRows find_add_rows(DType dtype) {
  return visit(dtype, [](auto tag) -> AddRows { return add_rows<typename decltype(tag)::Type>; });
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_add_rows);
AddRows add_rows_loop(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_add_rows)(dtype); }

}  // namespace napkin::cpu
#endif
