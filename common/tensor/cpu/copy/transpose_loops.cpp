// Boxes whose elements stand side by side along the first dimension in the destination and along
// the second in the source: matrices that are transposed, in tiles that fit into registers.
// Of the benchmarks, copy_transposed needs the tiles (4096 those that are streamed, 500 the squares
// beside them, 4097 the rows that wait for cache lines) and patches needs what interleaves.
// foreach_target.h includes this file once for each instruction set.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/tensor/cpu/copy/loops.h"
#include "common/tensor/cpu/stream.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/copy/transpose_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// to[c * to_step + r] = from[r * from_step + c]; steps in elements.
template <class T>
struct Matrix {
  T* to;
  std::int64_t to_step;
  const T* from;
  std::int64_t from_step, rows, columns;

  // What is left from that row, that column on.
  Matrix part(std::int64_t row, std::int64_t column) const {
    return {to + column * to_step + row,
            to_step,
            from + row * from_step + column,
            from_step,
            rows - row,
            columns - column};
  }
};

// Element by element: the definition, and what is left beside the tiles.
template <class T>
void transpose_plain(const Matrix<T>& m) {
  for (std::int64_t c = 0; c < m.columns; ++c)
    for (std::int64_t r = 0; r < m.rows; ++r) m.to[c * m.to_step + r] = m.from[r * m.from_step + c];
}

// One row becomes few: the compiler makes vectors of it.
template <int columns, class T>
HWY_INLINE void deinterleave(const Matrix<T>& m) {
  T* HWY_RESTRICT to = m.to;
  const T* HWY_RESTRICT from = m.from;
  const std::int64_t step = m.to_step, rows = m.rows;
  for (std::int64_t r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) to[c * step + r] = from[r * columns + c];
}

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_HAVE_SCALABLE

template <bool, class T>
void transpose_tiles(const Matrix<T>& m) {
  transpose_plain(m);
}

template <int, class T>
void interleave(const Matrix<T>& m) {
  transpose_plain(m);
}

#else

// Few rows become one, in vectors of 16 bytes: the last columns are done with those before them,
// some of them twice. The compiler's own vectors of the plain loop are slow on short rows.
template <int rows, class T>
HWY_INLINE void interleave(const Matrix<T>& m) {
  const hn::FixedTag<T, 16 / sizeof(T)> d;
  constexpr std::int64_t lanes = 16 / sizeof(T);
  if (m.columns < lanes) return transpose_plain(m);
  const T* const from = m.from;
  T* const to = m.to;
  const std::int64_t step = m.from_step, columns = m.columns, last = columns - lanes;
  for (std::int64_t next = 0; next < columns; next += lanes) {
    const std::int64_t c = std::min(next, last);
    const auto v0 = hn::LoadU(d, from + c), v1 = hn::LoadU(d, from + step + c);
    const auto v2 = hn::LoadU(d, from + (rows > 2 ? 2 * step : 0) + c);
    const auto v3 = hn::LoadU(d, from + (rows > 3 ? 3 * step : 0) + c);
    if constexpr (rows == 2) hn::StoreInterleaved2(v0, v1, d, to + c * rows);
    if constexpr (rows == 3) hn::StoreInterleaved3(v0, v1, v2, d, to + c * rows);
    if constexpr (rows == 4) hn::StoreInterleaved4(v0, v1, v2, v3, d, to + c * rows);
  }
}

// 16 bytes of each of several rows, `step` apart, in one register.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_rows(D d, const T* from, std::int64_t step) {
  if constexpr (sizeof(T) * hn::MaxLanes(D()) == 16) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    constexpr std::int64_t rows = static_cast<std::int64_t>(sizeof(T) * hn::MaxLanes(D())) / 32;
    return hn::Combine(d, load_rows(half, from + rows * step, step), load_rows(half, from, step));
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
      v[p][i] = load_rows(d, from + (p * lanes + i) * from_step, side * from_step);
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

// As many rows as fill a cache line of the destination.
template <bool streams, class T>
HWY_INLINE void transpose_line(T* to, std::int64_t to_step, const T* from, std::int64_t from_step) {
  const hn::ScalableTag<T> d;
  constexpr int parts = std::max<int>(1, 64 / sizeof(T) / hn::MaxLanes(d));
  transpose_tile<parts, streams>(d, to, to_step, from, from_step);
}

// Rows that fill no cache line: in squares of 16 bytes. Columns are whole squares.
template <class T>
HWY_NOINLINE void transpose_rest(const Matrix<T>& m) {
  constexpr std::int64_t side = 16 / sizeof(T);
  const hn::FixedTag<T, side> d;
  const std::int64_t rows = m.rows - m.rows % side;
  for (std::int64_t c = 0; c < m.columns; c += side)
    for (std::int64_t r = 0; r < rows; r += side)
      transpose_tile<1, false>(d, m.to + c * m.to_step + r, m.to_step, m.from + r * m.from_step + c,
                               m.from_step);
  transpose_plain(m.part(rows, 0));
}

template <bool streams, class T>
void transpose_tiles(const Matrix<T>& m) {
  constexpr std::int64_t line = 64 / sizeof(T), side = 16 / sizeof(T);
  const std::int64_t rows = m.rows - m.rows % line, columns = m.columns - m.columns % side;
  // Squares of whole cache lines: each cache line is read, and each is written, in one go.
  for (std::int64_t c0 = 0; c0 < columns; c0 += line)
    for (std::int64_t r = 0; r < rows; r += line)
      for (std::int64_t c = c0; c < std::min(c0 + line, columns); c += side)
        transpose_line<streams>(m.to + c * m.to_step + r, m.to_step, m.from + r * m.from_step + c,
                                m.from_step);
  Matrix<T> rest = m.part(rows, 0);
  rest.columns = columns;
  if (rest.rows > 0) transpose_rest(rest);
  transpose_plain(m.part(0, columns));
}

#endif

// Rows of the destination that do not start a cache line: what is transposed waits in the cache
// until it completes cache lines. For at most staged_columns columns.
template <class T>
void transpose_staged(const Matrix<T>& m) {
  constexpr std::int64_t line = 64 / sizeof(T), height = 2 * line, width = height + line;
  alignas(64) T stage[staged_columns * height];
  alignas(64) T waiting[staged_columns * width];
  // How many elements wait; at first, the places between a cache line's start and the row's.
  std::int64_t count[staged_columns];
  for (std::int64_t c = 0; c < m.columns; ++c)
    count[c] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(m.to + c * m.to_step) %
                                         64 / sizeof(T));
  for (std::int64_t r = 0; r < m.rows; r += height) {
    const std::int64_t more = std::min(height, m.rows - r);
    transpose_tiles<false>(
        Matrix<T>{stage, height, m.from + r * m.from_step, m.from_step, more, m.columns});
    for (std::int64_t c = 0; c < m.columns; ++c)
      std::memcpy(waiting + c * width + count[c], stage + c * height, height * sizeof(T));
    for (std::int64_t c = 0; c < m.columns; ++c) {
      T* const w = waiting + c * width;
      const std::int64_t first = r - count[c];  // the place of w[0] in the row
      const std::int64_t skipped = std::max<std::int64_t>(0, -first), end = count[c] + more;
      const bool last = r + more == m.rows;
      const std::int64_t whole = last ? end : end / line * line;
      stream(m.to + c * m.to_step + first + skipped, w + skipped,
             (whole - skipped) * static_cast<std::int64_t>(sizeof(T)));
      if (!last) std::memcpy(w, w + whole, 64);
      count[c] = end - whole;
    }
  }
}

// The loop over matrices of the first two dimensions, for every index of the others: in the
// source's order.
template <class T, void (*loop)(const Matrix<T>& m)>
void every_matrix(const CopyBox& given) {
  const CopyBox b = given;  // which no element that is written can be a part of
  constexpr std::int64_t size = sizeof(T);
  const int inner = b.from_step[2] <= b.from_step[3] ? 2 : 3, outer = 5 - inner;
  for (std::int64_t l = 0; l < b.count[outer]; ++l)
    for (std::int64_t k = 0; k < b.count[inner]; ++k)
      loop({reinterpret_cast<T*>(b.to + l * b.to_step[outer] + k * b.to_step[inner]),
            b.to_step[1] / size,
            reinterpret_cast<const T*>(b.from + l * b.from_step[outer] + k * b.from_step[inner]),
            b.from_step[0] / size, b.count[0], b.count[1]});
}

template <class T>
void stream_matrix(const Matrix<T>& m) {
  const bool whole_lines = reinterpret_cast<std::uintptr_t>(m.to) % 64 == 0 &&
                           m.to_step * std::int64_t{sizeof(T)} % 64 == 0;
  whole_lines ? transpose_tiles<true>(m) : transpose_staged(m);
}

template <class T>
void transpose_as(const CopyBox& b, bool streams) {
  const std::int64_t rows = b.count[0], columns = b.count[1];
  if (streams) return every_matrix<T, stream_matrix<T>>(b);
  if (b.to_step[1] == rows * b.size) {
    if (rows == 2) return every_matrix<T, interleave<2, T>>(b);
    if (rows == 3) return every_matrix<T, interleave<3, T>>(b);
    if (rows == 4) return every_matrix<T, interleave<4, T>>(b);
  }
  if (b.from_step[0] == columns * b.size) {
    if (columns == 2) return every_matrix<T, deinterleave<2, T>>(b);
    if (columns == 3) return every_matrix<T, deinterleave<3, T>>(b);
    if (columns == 4) return every_matrix<T, deinterleave<4, T>>(b);
  }
  every_matrix<T, transpose_tiles<false, T>>(b);
}

void transpose_level(const CopyBox& box, bool streams) {
  switch (box.size) {
    case 1:
      return transpose_as<std::uint8_t>(box, streams);
    case 2:
      return transpose_as<std::uint16_t>(box, streams);
    case 4:
      return transpose_as<std::uint32_t>(box, streams);
    default:
      return transpose_as<std::uint64_t>(box, streams);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(transpose_level);
void copy_transposed(const CopyBox& box, bool streams) {
  HWY_DYNAMIC_DISPATCH(transpose_level)(box, streams);
}

}  // namespace napkin::cpu
#endif
