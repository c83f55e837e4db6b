#include "common/tensor/fast/transpose.h"

#include <algorithm>
#include <cstddef>

#include "common/tensor/fast/stream.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/transpose.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Any part of the matrix, element by element: the definition, and what is left beside the tiles.
template <class T>
void transpose_plain(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                     std::int64_t rows, std::int64_t columns) {
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) to[c * to_step + r] = from[r * from_step + c];
}

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_HAVE_SCALABLE

template <class T, bool>
void transpose_tiles(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                     std::int64_t rows, std::int64_t columns) {
  transpose_plain(to, to_step, from, from_step, rows, columns);
}

#else

// 16 bytes of each of several rows, `step` apart, in one register.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_pieces(D d, const T* from, std::int64_t step) {
  if constexpr (sizeof(T) * hn::MaxLanes(D()) == 16) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    constexpr std::int64_t pieces = static_cast<std::int64_t>(sizeof(T) * hn::MaxLanes(D())) / 32;
    return hn::Combine(d, load_pieces(half, from + pieces * step, step),
                       load_pieces(half, from, step));
  }
}

// As many rows as a register has elements, 16 bytes of columns: one square of the matrix in each
// 16-byte block of the registers, all of them transposed by the same interleaving.
template <class T, bool streams>
HWY_INLINE void transpose_tile(T* to, std::int64_t to_step, const T* from, std::int64_t from_step) {
  const hn::ScalableTag<T> d;
  constexpr int side = 16 / sizeof(T);
  hn::Vec<decltype(d)> v[side], w[side];
  for (int i = 0; i < side; ++i) v[i] = load_pieces(d, from + i * from_step, side * from_step);
  for (int stage = 1; stage < side; stage *= 2) {
    for (int i = 0; i < side / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + side / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + side / 2]);
    }
    for (int i = 0; i < side; ++i) v[i] = w[i];
  }
  for (int i = 0; i < side; ++i)
    if constexpr (streams)
      hn::Stream(v[i], d, to + i * to_step);
    else
      hn::StoreU(v[i], d, to + i * to_step);
}

template <class T, bool streams>
void transpose_tiles(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                     std::int64_t all_rows, std::int64_t all_columns) {
  constexpr std::int64_t line = 64 / sizeof(T), side = 16 / sizeof(T);
  constexpr std::int64_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  const std::int64_t rows = all_rows - all_rows % (streams ? line : lanes);
  const std::int64_t columns = all_columns - all_columns % side;
  // Squares of whole lines: each line is read, and each is written, in one go.
  for (std::int64_t c0 = 0; c0 < columns; c0 += line)
    for (std::int64_t r0 = 0; r0 < rows; r0 += line)
      for (std::int64_t c = c0; c < std::min(c0 + line, columns); c += side)
        for (std::int64_t r = r0; r < std::min(r0 + line, rows); r += lanes)
          transpose_tile<T, streams>(to + c * to_step + r, to_step, from + r * from_step + c,
                                     from_step);
  transpose_plain(to + rows, to_step, from + rows * from_step, from_step, all_rows - rows, columns);
  transpose_plain(to + columns * to_step, to_step, from + columns, from_step, all_rows,
                  all_columns - columns);
}

#endif

// Rows of the destination that do not start a line: a part is transposed in the cache, and then
// streamed row by row, so that only the lines at its ends pass through the caches.
template <class T>
void transpose_staged(const Transposition& t) {
  constexpr std::int64_t most_rows = 1024 / sizeof(T), most_columns = 64, step = most_rows + 16;
  alignas(64) T stage[most_columns * step];
  auto* to = static_cast<T*>(t.to);
  auto* from = static_cast<const T*>(t.from);
  for (std::int64_t r = 0; r < t.rows; r += most_rows)
    for (std::int64_t c = 0; c < t.columns; c += most_columns) {
      const std::int64_t rows = std::min(most_rows, t.rows - r);
      const std::int64_t columns = std::min(most_columns, t.columns - c);
      transpose_tiles<T, false>(stage, step, from + r * t.from_step + c, t.from_step, rows,
                                columns);
      for (std::int64_t i = 0; i < columns; ++i)
        stream(to + (c + i) * t.to_step + r, stage + i * step,
               rows * static_cast<std::int64_t>(sizeof(T)));
    }
}

template <class T>
void transpose_as(const Transposition& t, bool streams) {
  auto* to = static_cast<T*>(t.to);
  auto* from = static_cast<const T*>(t.from);
  if (!streams)
    return transpose_tiles<T, false>(to, t.to_step, from, t.from_step, t.rows, t.columns);
  constexpr std::int64_t line = 64 / sizeof(T), strip = 2 * line;
  if (t.to_step % line != 0 || reinterpret_cast<std::uintptr_t>(to) % 64 != 0)
    return transpose_staged<T>(t);
  for (std::int64_t r = 0; r < t.rows; r += strip)
    transpose_tiles<T, true>(to + r, t.to_step, from + r * t.from_step, t.from_step,
                             std::min(strip, t.rows - r), t.columns);
}

void transpose_level(const Transposition& t, bool streams) {
  switch (t.element_bytes) {
    case 1:
      return transpose_as<std::uint8_t>(t, streams);
    case 2:
      return transpose_as<std::uint16_t>(t, streams);
    case 4:
      return transpose_as<std::uint32_t>(t, streams);
    default:
      return transpose_as<std::uint64_t>(t, streams);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(transpose_level);
void transpose(const Transposition& t, bool streams) {
  HWY_DYNAMIC_DISPATCH(transpose_level)(t, streams);
}

}  // namespace napkin::fast
#endif
