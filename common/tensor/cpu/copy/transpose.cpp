#include "common/tensor/cpu/copy/transpose.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/tensor/cpu/stream.h"

// Once, not for every instruction set.
#ifndef NAPKIN_TRANSPOSE_COMMON
#define NAPKIN_TRANSPOSE_COMMON
namespace napkin::cpu {
namespace {

constexpr std::int64_t staged_columns = 256;

bool starts_lines(const Transposition& t) {
  return reinterpret_cast<std::uintptr_t>(t.to) % 64 == 0 && t.to_step * t.element_bytes % 64 == 0;
}

}  // namespace
}  // namespace napkin::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/copy/transpose.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
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

template <class T>
void stream_part(T* to, const T* from, std::int64_t count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

template <class T, bool>
void transpose_tiles(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                     std::int64_t rows, std::int64_t columns) {
  transpose_plain(to, to_step, from, from_step, rows, columns);
}

#else

// Some lines of one row, or its ends.
template <class T>
HWY_INLINE void stream_part(T* to, const T* from, std::int64_t count) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t lanes = hn::MaxLanes(d), line = 64 / sizeof(T);
  if (count % line != 0 || reinterpret_cast<std::uintptr_t>(to) % 64 != 0)
    return stream(to, from, count * static_cast<std::int64_t>(sizeof(T)));
  for (std::int64_t i = 0; i < count; i += lanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
}

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

// A register's rows of 16 bytes of columns, as many registers as are stored side by side at one go.
// In each 16-byte block of the registers stands one square of the matrix; the same interleaving
// transposes all of them.
template <int parts, bool streams, class D, class T>
HWY_INLINE void transpose_tile(D d, T* to, std::int64_t to_step, const T* from,
                               std::int64_t from_step) {
  constexpr int side = 16 / sizeof(T), lanes = hn::MaxLanes(D());
  hn::Vec<D> v[parts][side], w[side];
  for (int p = 0; p < parts; ++p) {
    for (int i = 0; i < side; ++i)
      v[p][i] = load_pieces(d, from + (p * lanes + i) * from_step, side * from_step);
    for (int stage = 1; stage < side; stage *= 2) {
      for (int i = 0; i < side / 2; ++i) {
        w[2 * i] = hn::InterleaveLower(d, v[p][i], v[p][i + side / 2]);
        w[2 * i + 1] = hn::InterleaveUpper(d, v[p][i], v[p][i + side / 2]);
      }
      for (int i = 0; i < side; ++i) v[p][i] = w[i];
    }
  }
  for (int i = 0; i < side; ++i)
    for (int p = 0; p < parts; ++p)
      if constexpr (streams)
        hn::Stream(v[p][i], d, to + i * to_step + p * lanes);
      else
        hn::StoreU(v[p][i], d, to + i * to_step + p * lanes);
}

// As many rows as fill a line of the destination.
template <bool streams, class T>
HWY_INLINE void transpose_line(T* to, std::int64_t to_step, const T* from, std::int64_t from_step) {
  const hn::ScalableTag<T> d;
  constexpr int parts = std::max<int>(1, 64 / sizeof(T) / hn::MaxLanes(d));
  transpose_tile<parts, streams>(d, to, to_step, from, from_step);
}

// Rows that fill no line: in squares of 16 bytes. Columns are whole squares.
template <class T>
HWY_NOINLINE void transpose_rest(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                                 std::int64_t all_rows, std::int64_t columns) {
  constexpr std::int64_t side = 16 / sizeof(T);
  const hn::FixedTag<T, side> d;
  const std::int64_t rows = all_rows - all_rows % side;
  for (std::int64_t c = 0; c < columns; c += side)
    for (std::int64_t r = 0; r < rows; r += side)
      transpose_tile<1, false>(d, to + c * to_step + r, to_step, from + r * from_step + c,
                               from_step);
  transpose_plain(to + rows, to_step, from + rows * from_step, from_step, all_rows - rows, columns);
}

template <class T, bool streams>
void transpose_tiles(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                     std::int64_t all_rows, std::int64_t all_columns) {
  constexpr std::int64_t line = 64 / sizeof(T), side = 16 / sizeof(T);
  const std::int64_t rows = all_rows - all_rows % line, columns = all_columns - all_columns % side;
  // Squares of whole lines: each line is read, and each is written, in one go.
  for (std::int64_t c0 = 0; c0 < columns; c0 += line)
    for (std::int64_t r = 0; r < rows; r += line)
      for (std::int64_t c = c0; c < std::min(c0 + line, columns); c += side)
        transpose_line<streams>(to + c * to_step + r, to_step, from + r * from_step + c, from_step);
  if (rows < all_rows)
    transpose_rest(to + rows, to_step, from + rows * from_step, from_step, all_rows - rows,
                   columns);
  transpose_plain(to + columns * to_step, to_step, from + columns, from_step, all_rows,
                  all_columns - columns);
}

#endif

// Rows of the destination that do not start a line: what is transposed waits in the cache until it
// completes lines. For at most staged_columns columns.
template <class T>
void transpose_staged(T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                      std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t line = 64 / sizeof(T), height = 2 * line, width = height + line;
  alignas(64) T stage[staged_columns * height];
  alignas(64) T waiting[staged_columns * width];
  // How many elements wait; at first, the places between a line's start and the row's.
  std::int64_t count[staged_columns];
  for (std::int64_t c = 0; c < columns; ++c)
    count[c] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to + c * to_step) % 64 /
                                         sizeof(T));
  for (std::int64_t r = 0; r < rows; r += height) {
    const std::int64_t more = std::min(height, rows - r);
    transpose_tiles<T, false>(stage, height, from + r * from_step, from_step, more, columns);
    for (std::int64_t c = 0; c < columns; ++c)
      std::memcpy(waiting + c * width + count[c], stage + c * height, height * sizeof(T));
    for (std::int64_t c = 0; c < columns; ++c) {
      T* const w = waiting + c * width;
      const std::int64_t first = r - count[c];  // the place of w[0] in the row
      const std::int64_t skipped = std::max<std::int64_t>(0, -first), end = count[c] + more;
      const bool last = r + more == rows;
      const std::int64_t whole = last ? end : end / line * line;
      stream_part(to + c * to_step + first + skipped, w + skipped, whole - skipped);
      if (!last) std::memcpy(w, w + whole, 64);
      count[c] = end - whole;
    }
  }
}

template <class T>
void transpose_as(const Transposition& t, bool streams) {
  auto* to = static_cast<T*>(t.to);
  auto* from = static_cast<const T*>(t.from);
  constexpr std::int64_t strip = 2 * 64 / sizeof(T);
  if (!streams)
    transpose_tiles<T, false>(to, t.to_step, from, t.from_step, t.rows, t.columns);
  else if (starts_lines(t))
    for (std::int64_t r = 0; r < t.rows; r += strip)
      transpose_tiles<T, true>(to + r, t.to_step, from + r * t.from_step, t.from_step,
                               std::min(strip, t.rows - r), t.columns);
  else
    for (std::int64_t c = 0; c < t.columns; c += staged_columns)
      transpose_staged(to + c * t.to_step, t.to_step, from + c, t.from_step, t.rows,
                       std::min(staged_columns, t.columns - c));
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
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(transpose_level);
TransposeBlock transpose_block(const Transposition& t, bool streams) {
  const std::int64_t size = t.element_bytes;
  if (!streams) return {128 / size, 2048 / size};
  if (starts_lines(t)) return {128 / size, 16384 / size};
  return {4096 / size, staged_columns};
}

void transpose(const Transposition& t, bool streams) {
  HWY_DYNAMIC_DISPATCH(transpose_level)(t, streams);
}

}  // namespace napkin::cpu
#endif
