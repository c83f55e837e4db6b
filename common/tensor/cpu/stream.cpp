#include "common/tensor/cpu/stream.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/stream.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// `to` starts a line, bytes are whole lines.
void stream_lines(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
#if HWY_TARGET == HWY_SCALAR
  std::memcpy(to, from, bytes);
#else
  const hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 64> d;
  for (std::size_t i = 0; i < bytes; i += hwy::HWY_NAMESPACE::Lanes(d))
    hwy::HWY_NAMESPACE::Stream(hwy::HWY_NAMESPACE::LoadU(d, from + i), d, to + i);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(stream_lines);

void stream(void* to, const void* from, std::int64_t bytes) {
  constexpr std::uintptr_t line = 64;
  auto* t = static_cast<std::uint8_t*>(to);
  auto* f = static_cast<const std::uint8_t*>(from);
  auto left = static_cast<std::size_t>(bytes);
  const std::size_t head =
      std::min<std::size_t>(left, (line - reinterpret_cast<std::uintptr_t>(t) % line) % line);
  std::memcpy(t, f, head);
  left -= head;
  const std::size_t lines = left / line * line;
  if (lines > 0) HWY_DYNAMIC_DISPATCH(stream_lines)(t + head, f + head, lines);
  std::memcpy(t + head + lines, f + head + lines, left - lines);
}

void stream_fence() { hwy::FlushStream(); }

}  // namespace napkin::cpu
#endif
