// foreach_target.h includes this file once for each instruction set.
#include "common/tensor/cpu/copy/slab_loops.h"

#include <cstring>
#include <utility>

#include "common/tensor/cpu/copy/transpose.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/copy/slab_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using PlaneLoop = void (*)(const Slab& s, std::byte* to, const std::byte* from);

// The loop over the first two dimensions, for every index of the others: in the source's order.
template <PlaneLoop plane>
void every_plane(const Slab& slab) {
  const Slab s = slab;  // which no element that is written can be a part of
  const int a = s.from_step[2] <= s.from_step[3] ? 2 : 3, b = 5 - a;
  for (std::int64_t l = 0; l < s.count[b]; ++l)
    for (std::int64_t k = 0; k < s.count[a]; ++k)
      plane(s, s.to + l * s.to_step[b] + k * s.to_step[a],
            s.from + l * s.from_step[b] + k * s.from_step[a]);
}

template <int bytes>
HWY_INLINE void copy_block(std::byte* to, const std::byte* from) {
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  if constexpr (bytes >= 16) {
    const hn::CappedTag<std::uint8_t, bytes> d;
    auto* t = reinterpret_cast<std::uint8_t*>(to);
    auto* f = reinterpret_cast<const std::uint8_t*>(from);
    for (std::size_t i = 0; i < bytes; i += hn::MaxLanes(d))
      hn::StoreU(hn::LoadU(d, f + i), d, t + i);
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

// Blocks of a size that the compiler knows; the last one ends where the run ends.
template <int block>
HWY_INLINE void copy_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes - block; i += block) copy_block<block>(to + i, from + i);
  copy_block<block>(to + bytes - block, from + bytes - block);
}

// bytes: of a run, where they are known beforehand.
template <int block, int bytes>
HWY_INLINE void plane_of_runs(const Slab& s, std::byte* to, const std::byte* from) {
  const std::int64_t run = bytes > 0 ? bytes : s.count[0] * s.size;
  for (std::int64_t r = 0; r < s.count[1]; ++r)
    copy_run<block>(to + r * s.to_step[1], from + r * s.from_step[1], run);
}

void plane_of_long_runs(const Slab& s, std::byte* to, const std::byte* from) {
  for (std::int64_t r = 0; r < s.count[1]; ++r)
    std::memcpy(to + r * s.to_step[1], from + r * s.from_step[1],
                static_cast<std::size_t>(s.count[0] * s.size));
}

template <int block>
void copy_runs_of(Slab s) {
  if (s.count[2] > 1 && s.from_step[2] < s.from_step[1]) {
    std::swap(s.count[1], s.count[2]);
    std::swap(s.to_step[1], s.to_step[2]);
    std::swap(s.from_step[1], s.from_step[2]);
  }
  if (s.count[0] * s.size == block)
    every_plane<plane_of_runs<block, block>>(s);
  else
    every_plane<plane_of_runs<block, 0>>(s);
}

void copy_runs(const Slab& s) {
  const std::int64_t run = s.count[0] * s.size;
  if (run >= 1024) return every_plane<plane_of_long_runs>(s);
  if (run >= 64) return copy_runs_of<64>(s);
  if (run >= 32) return copy_runs_of<32>(s);
  if (run >= 16) return copy_runs_of<16>(s);
  if (run >= 8) return copy_runs_of<8>(s);
  if (run >= 4) return copy_runs_of<4>(s);
  if (run >= 2) return copy_runs_of<2>(s);
  copy_runs_of<1>(s);
}

template <std::size_t size>
HWY_INLINE void plane_of_elements(const Slab& s, std::byte* to, const std::byte* from) {
  for (std::int64_t r = 0; r < s.count[1]; ++r)
    for (std::int64_t c = 0; c < s.count[0]; ++c)
      std::memcpy(to + r * s.to_step[1] + c * s.to_step[0],
                  from + r * s.from_step[1] + c * s.from_step[0], size);
}

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_HAVE_SCALABLE

void plane_of_lines(const Slab& s, std::byte* to, const std::byte* from) {
  plane_of_runs<64, 0>(s, to, from);
}

template <class T, int n>
void plane_interleaved(const Slab& s, std::byte* to, const std::byte* from) {
  constexpr std::int64_t size = sizeof(T);
  for (std::int64_t c = 0; c < s.count[1]; ++c)
    for (int r = 0; r < n; ++r)
      std::memcpy(to + (c * n + r) * size, from + r * s.from_step[0] + c * size, size);
}

template <class T, int n>
void plane_deinterleaved(const Slab& s, std::byte* to, const std::byte* from) {
  constexpr std::int64_t size = sizeof(T);
  for (std::int64_t c = 0; c < s.count[0]; ++c)
    for (int r = 0; r < n; ++r)
      std::memcpy(to + r * s.to_step[1] + c * size, from + (c * n + r) * size, size);
}

template <class T, int n>
void interleave(const Slab& s) {
  every_plane<plane_interleaved<T, n>>(s);
}

template <class T, int n>
void deinterleave(const Slab& s) {
  every_plane<plane_deinterleaved<T, n>>(s);
}

#else

void plane_of_lines(const Slab& s, std::byte* to, const std::byte* from) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::int64_t run = s.count[0] * s.size;
  for (std::int64_t r = 0; r < s.count[1]; ++r) {
    auto* t = reinterpret_cast<std::uint8_t*>(to + r * s.to_step[1]);
    auto* f = reinterpret_cast<const std::uint8_t*>(from + r * s.from_step[1]);
    for (std::int64_t i = 0; i < run; i += static_cast<std::int64_t>(hn::Lanes(d)))
      hn::Stream(hn::LoadU(d, f + i), d, t + i);
  }
}

// A register's columns of n rows.
template <int n, class D, class T>
HWY_INLINE void interleave_lanes(D d, T* to, const T* from, std::int64_t step) {
  const auto v0 = hn::LoadU(d, from), v1 = hn::LoadU(d, from + step);
  if constexpr (n == 2) return hn::StoreInterleaved2(v0, v1, d, to);
  const auto v2 = hn::LoadU(d, from + 2 * step);
  if constexpr (n == 3) return hn::StoreInterleaved3(v0, v1, v2, d, to);
  if constexpr (n == 4)
    return hn::StoreInterleaved4(v0, v1, v2, hn::LoadU(d, from + 3 * step), d, to);
}

template <int n, class D, class T>
HWY_INLINE void deinterleave_lanes(D d, T* to, std::int64_t step, const T* from) {
  hn::Vec<D> v[4];
  if constexpr (n == 2) hn::LoadInterleaved2(d, from, v[0], v[1]);
  if constexpr (n == 3) hn::LoadInterleaved3(d, from, v[0], v[1], v[2]);
  if constexpr (n == 4) hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
  for (int r = 0; r < n; ++r) hn::StoreU(v[r], d, to + r * step);
}

// At least as many columns as there are lanes. The last ones are done with those before them, some
// of them twice.
template <int n, class D>
HWY_INLINE void plane_interleaved(const Slab& s, std::byte* to, const std::byte* from) {
  using T = hn::TFromD<D>;
  constexpr std::int64_t lanes = hn::MaxLanes(D()), size = sizeof(T);
  auto* t = reinterpret_cast<T*>(to);
  auto* f = reinterpret_cast<const T*>(from);
  const std::int64_t step = s.from_step[0] / size, last = s.count[1] - lanes;
  for (std::int64_t c = 0; c < last; c += lanes) interleave_lanes<n>(D(), t + c * n, f + c, step);
  interleave_lanes<n>(D(), t + last * n, f + last, step);
}

template <int n, class D>
HWY_INLINE void plane_deinterleaved(const Slab& s, std::byte* to, const std::byte* from) {
  using T = hn::TFromD<D>;
  constexpr std::int64_t lanes = hn::MaxLanes(D()), size = sizeof(T);
  auto* t = reinterpret_cast<T*>(to);
  auto* f = reinterpret_cast<const T*>(from);
  const std::int64_t step = s.to_step[1] / size, last = s.count[0] - lanes;
  for (std::int64_t c = 0; c < last; c += lanes) deinterleave_lanes<n>(D(), t + c, step, f + c * n);
  deinterleave_lanes<n>(D(), t + last, step, f + last * n);
}

// With whole registers where there are as many columns as lanes, else with halves, quarters.
template <class T, int n, class D = hn::ScalableTag<T>>
void interleave(const Slab& s) {
  constexpr std::int64_t lanes = hn::MaxLanes(D());
  if (s.count[1] >= lanes) return every_plane<plane_interleaved<n, D>>(s);
  if constexpr (lanes > 4)
    interleave<T, n, hn::Half<D>>(s);
  else
    every_plane<plane_of_elements<sizeof(T)>>(s);
}

template <class T, int n, class D = hn::ScalableTag<T>>
void deinterleave(const Slab& s) {
  constexpr std::int64_t lanes = hn::MaxLanes(D());
  if (s.count[0] >= lanes) return every_plane<plane_deinterleaved<n, D>>(s);
  if constexpr (lanes > 4)
    deinterleave<T, n, hn::Half<D>>(s);
  else
    every_plane<plane_of_elements<sizeof(T)>>(s);
}

#endif

template <class T>
void interleave_rows(const Slab& s) {
  if (s.count[0] == 2) return interleave<T, 2>(s);
  if (s.count[0] == 3) return interleave<T, 3>(s);
  interleave<T, 4>(s);
}

template <class T>
void deinterleave_rows(const Slab& s) {
  if (s.count[1] == 2) return deinterleave<T, 2>(s);
  if (s.count[1] == 3) return deinterleave<T, 3>(s);
  deinterleave<T, 4>(s);
}

// Kinds that depend on the elements.
template <class T>
void copy_as(SlabKind kind, const Slab& s) {
  if (kind == SlabKind::interleaved) return interleave_rows<T>(s);
  if (kind == SlabKind::deinterleaved) return deinterleave_rows<T>(s);
  every_plane<plane_of_elements<sizeof(T)>>(s);
}

void plane_transposed(const Slab& s, std::byte* to, const std::byte* from) {
  transpose(
      {to, s.to_step[1] / s.size, from, s.from_step[0] / s.size, s.count[0], s.count[1], s.size},
      false);
}

void copy_level(SlabKind kind, const Slab& s) {
  if (kind == SlabKind::runs) return copy_runs(s);
  if (kind == SlabKind::lines) return every_plane<plane_of_lines>(s);
  if (kind == SlabKind::transposed) return every_plane<plane_transposed>(s);
  switch (s.size) {
    case 1:
      return copy_as<std::uint8_t>(kind, s);
    case 2:
      return copy_as<std::uint16_t>(kind, s);
    case 4:
      return copy_as<std::uint32_t>(kind, s);
    default:
      return copy_as<std::uint64_t>(kind, s);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(copy_level);
void copy_slab(SlabKind kind, const Slab& slab) { HWY_DYNAMIC_DISPATCH(copy_level)(kind, slab); }

}  // namespace napkin::cpu
#endif
