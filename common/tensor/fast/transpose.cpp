#include "common/tensor/fast/transpose.h"

#include <algorithm>
#include <cstddef>

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
void transpose_as(const Transposition& t) {
  transpose_plain(static_cast<T*>(t.to), t.to_step, static_cast<const T*>(t.from), t.from_step,
                  t.rows, t.columns);
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
void transpose_as(const Transposition& t) {
  constexpr std::int64_t line = 64 / sizeof(T), side = 16 / sizeof(T);
  constexpr std::int64_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  auto* to = static_cast<T*>(t.to);
  auto* from = static_cast<const T*>(t.from);
  const std::int64_t rows = t.rows - t.rows % (streams ? line : lanes);
  const std::int64_t columns = t.columns - t.columns % side;
  // Squares of whole lines: each line is read, and each is written, in one go.
  for (std::int64_t c0 = 0; c0 < columns; c0 += line)
    for (std::int64_t r0 = 0; r0 < rows; r0 += line)
      for (std::int64_t c = c0; c < std::min(c0 + line, columns); c += side)
        for (std::int64_t r = r0; r < std::min(r0 + line, rows); r += lanes)
          transpose_tile<T, streams>(to + c * t.to_step + r, t.to_step, from + r * t.from_step + c,
                                     t.from_step);
  transpose_plain(to + rows, t.to_step, from + rows * t.from_step, t.from_step, t.rows - rows,
                  columns);
  transpose_plain(to + columns * t.to_step, t.to_step, from + columns, t.from_step, t.rows,
                  t.columns - columns);
}

#endif

template <bool streams>
void by_size(const Transposition& t) {
  switch (t.element_bytes) {
    case 1:
      return transpose_as<std::uint8_t, streams>(t);
    case 2:
      return transpose_as<std::uint16_t, streams>(t);
    case 4:
      return transpose_as<std::uint32_t, streams>(t);
    default:
      return transpose_as<std::uint64_t, streams>(t);
  }
}

void transpose_level(const Transposition& t, bool streams) {
  streams ? by_size<true>(t) : by_size<false>(t);
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
