// foreach_target.h includes this file once for each instruction set.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/tensor/fast/add_rows_loops.h"
#include "common/tensor/fast/sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/add_rows_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {

inline constexpr std::int64_t ahead = 8;  // rows that are asked for before their turn

// So many columns that their sums stay in registers or in the nearest cache.
template <class T, int width>
HWY_INLINE void add_tile(Sum<T>* sums, const Rows& rows, std::int64_t first,
                         const std::int64_t* order, std::int64_t count) {
  Sum<T> tile[width];
  for (int c = 0; c < width; ++c) tile[c] = sums[c];
  const std::byte* data = rows.data + first * static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t n = 0; n < count; ++n) {
    const auto* row = reinterpret_cast<const T*>(data + order[n] * rows.step);
    if (n + ahead < count) {
      const std::byte* next = data + order[n + ahead] * rows.step;
      for (std::size_t b = 0; b < width * sizeof(T); b += 64) __builtin_prefetch(next + b);
    }
    for (int c = 0; c < width; ++c) tile[c] += widen<T>(row[c]);
  }
  for (int c = 0; c < width; ++c) sums[c] = tile[c];
}

// Any number of columns, any steps.
template <class T>
void add_columns(Sum<T>* sums, std::int64_t columns, const Rows& rows, std::int64_t first,
                 const std::int64_t* order, std::int64_t count) {
  const std::byte* data = rows.data + first * rows.column_step;
  for (std::int64_t n = 0; n < count; ++n) {
    const std::byte* row = data + order[n] * rows.step;
    for (std::int64_t c = 0; c < columns; ++c) {
      T element;
      std::memcpy(&element, row + c * rows.column_step, sizeof(T));
      sums[c] += widen<T>(element);
    }
  }
}

template <class T>
void add_rows(void* sums, std::int64_t columns, const Rows& rows, const std::int64_t* order,
              std::int64_t count) {
  constexpr int width = 64;
  auto* s = static_cast<Sum<T>*>(sums);
  std::int64_t c = 0;
  if (rows.column_step == sizeof(T))
    for (; c + width <= columns; c += width) add_tile<T, width>(s + c, rows, c, order, count);
  if (c < columns) add_columns<T>(s + c, columns - c, rows, c, order, count);
}

AddRows find_add_rows(DType dtype) {
  return visit(dtype, [](auto tag) -> AddRows { return add_rows<typename decltype(tag)::Type>; });
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(find_add_rows);
AddRows add_rows_loop(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_add_rows)(dtype); }

}  // namespace napkin::fast
#endif
