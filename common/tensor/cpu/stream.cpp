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

HWY_INLINE void stream_run(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
#if HWY_TARGET == HWY_SCALAR
  std::memcpy(to, from, bytes);
#else
  const hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 64> d;
  const std::size_t past_line = reinterpret_cast<std::uintptr_t>(to) % 64;
  const std::size_t head = past_line == 0 ? 0 : std::min(bytes, 64 - past_line);
  if (head > 0) std::memcpy(to, from, head);
  const std::size_t end = bytes - (bytes - head) % 64;
  for (std::size_t i = head; i < end; i += hwy::HWY_NAMESPACE::Lanes(d))
    hwy::HWY_NAMESPACE::Stream(hwy::HWY_NAMESPACE::LoadU(d, from + i), d, to + i);
  if (end < bytes) std::memcpy(to + end, from + end, bytes - end);
#endif
}

void stream_level(const Runs& runs) {
  auto* to = static_cast<std::uint8_t*>(runs.to);
  auto* from = static_cast<const std::uint8_t*>(runs.from);
  const std::int64_t to_step = runs.to_step, from_step = runs.from_step;
  for (std::int64_t r = 0; r < runs.count; ++r)
    stream_run(to + r * to_step, from + r * from_step, static_cast<std::size_t>(runs.bytes));
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(stream_level);
void stream(const Runs& runs) { HWY_DYNAMIC_DISPATCH(stream_level)(runs); }

void stream_fence() { hwy::FlushStream(); }

}  // namespace napkin::cpu
#endif
