// The rule of convert.h in a loop, for every instruction set (levels.h).
#include "common/tensor/cpu/copy/convert_loops.h"

#include <cstdint>
#include <cstring>

#include "common/numeric/convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/copy/convert_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/cpu/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// Memory that is needed soon is asked for in time, so that it overlaps with arithmetic.
HWY_INLINE void ask_ahead(const void* at) {
  __builtin_prefetch(static_cast<const char*>(at) + 4096);
}

template <class To, class From, Overflow overflow = usual_overflow(dtype_of<To>)>
void loop(void* to, const void* from, std::int64_t count) {
  auto* t = static_cast<To*>(to);
  const auto* f = static_cast<const From*>(from);
  constexpr std::int64_t block = 1024 / sizeof(From);
  for (std::int64_t first = 0; first < count; first += block) {
    for (int line = 0; line < 1024; line += 64)
      ask_ahead(reinterpret_cast<const char*>(f + first) + line);
    const std::int64_t end = std::min(first + block, count);
    NAPKIN_INDEPENDENT
    for (std::int64_t i = first; i < end; ++i) t[i] = convert<To>(f[i], overflow);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// NaN as the quiet one of its sign.
HWY_INLINE hn::Vec<Floats> with_quiet_nan(hn::Mask<Floats> is_nan, hn::Vec<Floats> x) {
  const auto nan = hn::BitCast(Floats(), hn::Set(hn::RebindToUnsigned<Floats>(), 0x7fc00000));
  return hn::IfThenElse(is_nan, hn::CopySign(nan, x), x);
}

// By the processor's conversion of fp16.
template <bool streams = false>
void widen_fp16(void* to, const void* from, std::int64_t count) {
  const hn::Rebind<hwy::float16_t, Floats> halves;
  auto* t = static_cast<float*>(to);
  const auto* f = static_cast<const Float16*>(from);
  const auto step = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t i = 0;
  for (; i + step <= count; i += step) {
    const auto half = hn::LoadU(halves, reinterpret_cast<const hwy::float16_t*>(f + i));
    if constexpr (streams)
      hn::Stream(hn::PromoteTo(Floats(), half), Floats(), t + i);
    else
      hn::StoreU(hn::PromoteTo(Floats(), half), Floats(), t + i);
  }
  for (; i < count; ++i) t[i] = static_cast<float>(f[i]);
}

// The loop of the rule, some cache lines at a time that go past the caches.
template <class Small>
void streaming_loop(void* to, const void* from, std::int64_t count) {
  constexpr std::int64_t most = 256;
  alignas(64) float line[most];
  auto* t = static_cast<float*>(to);
  const auto* f = static_cast<const Small*>(from);
  for (std::int64_t i = 0; i < count; i += most) {
    const std::int64_t n = std::min(most, count - i);
    loop<float, Small>(line, f + i, n);
    for (std::int64_t k = 0; k < n; k += static_cast<std::int64_t>(hn::Lanes(Floats())))
      hn::Stream(hn::Load(Floats(), line + k), Floats(), t + i + k);
  }
}

void fp16_loop(void* to, const void* from, std::int64_t count) {
  const hn::Rebind<hwy::float16_t, Floats> halves;
  auto* t = static_cast<Float16*>(to);
  const auto* f = static_cast<const float*>(from);
  const auto step = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t i = 0;
  for (; i + step <= count; i += step) {
    ask_ahead(f + i);
    const auto x = hn::LoadU(Floats(), f + i);
    const auto half = hn::DemoteTo(halves, with_quiet_nan(hn::IsNaN(x), x));
    hn::StoreU(half, halves, reinterpret_cast<hwy::float16_t*>(t + i));
  }
  for (; i < count; ++i) t[i] = Float16(f[i]);
}

Conversion find_streaming(DType to, DType from) {
  if (to != DType::fp32) return nullptr;
  if (from == DType::fp16) return widen_fp16<true>;
  if (from == DType::e4m3fn) return streaming_loop<Float8E4M3fn>;
  if (from == DType::e5m2) return streaming_loop<Float8E5M2>;
  return nullptr;
}
#else
Conversion find_streaming(DType, DType) { return nullptr; }
template <bool streams = false>
constexpr Conversion widen_fp16 = loop<float, Float16>;
constexpr Conversion fp16_loop = loop<Float16, float>;
#endif

template <class To, class From>
Conversion small_loop(Overflow overflow) {
  if constexpr (std::is_same_v<From, float>) {
    if (std::is_same_v<To, Float16> && overflow == To::usual_overflow) return fp16_loop;
    return overflow == Overflow::saturate ? loop<To, float, Overflow::saturate>
                                          : loop<To, float, Overflow::to_special>;
  }
  return nullptr;  // conversion() has these
}

template <class From>
Conversion find_from(DType to, Overflow overflow) {
  switch (to) {
    case DType::fp64:
      return loop<double, From>;
    case DType::fp32:
      return loop<float, From>;
    case DType::bf16:
      return small_loop<BFloat16, From>(overflow);
    case DType::fp16:
      return small_loop<Float16, From>(overflow);
    case DType::e4m3fn:
      return small_loop<Float8E4M3fn, From>(overflow);
    case DType::e5m2:
      return small_loop<Float8E5M2, From>(overflow);
    case DType::int64:
      return loop<std::int64_t, From>;
    case DType::int32:
      return loop<std::int32_t, From>;
    case DType::uint16:
      return loop<std::uint16_t, From>;
    case DType::uint8:
      return loop<std::uint8_t, From>;
    case DType::boolean:
      break;
  }
  return loop<bool, From>;
}

Conversion find_conversion(DType to, DType from, Overflow overflow) {
  switch (from) {
    case DType::fp64:
      return find_from<double>(to, overflow);
    case DType::fp32:
      return find_from<float>(to, overflow);
    case DType::int64:
      return find_from<std::int64_t>(to, overflow);
    case DType::bf16:
      return loop<float, BFloat16>;
    case DType::fp16:
      return widen_fp16<>;
    case DType::e4m3fn:
      return loop<float, Float8E4M3fn>;
    case DType::e5m2:
      return loop<float, Float8E5M2>;
    case DType::int32:
      return loop<std::int64_t, std::int32_t>;
    case DType::uint16:
      return loop<std::int64_t, std::uint16_t>;
    case DType::uint8:
      return loop<std::int64_t, std::uint8_t>;
    case DType::boolean:
      break;
  }
  return loop<std::int64_t, bool>;
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

template <class To, class From, Overflow overflow>
static void each(void* to, const void* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<To*>(to)[i] = convert<To>(static_cast<const From*>(from)[i], overflow);
}

// From double and int64 to small floats: too many steps in 64 bits for vector code to help, and
// rare.
template <class From>
static Conversion small_from_wide(DType to, Overflow overflow) {
  const auto of = [&]<class To>(TypeTag<To>) -> Conversion {
    if constexpr (is_small_float<To>)
      return overflow == Overflow::saturate ? each<To, From, Overflow::saturate>
                                            : each<To, From, Overflow::to_special>;
    return nullptr;
  };
  return visit(to, of);
}

HWY_EXPORT(find_conversion);
Conversion conversion(DType to, DType from, Overflow overflow) {
  if (is_floating(to) && size_of(to) < 4 && from == DType::fp64)
    return small_from_wide<double>(to, overflow);
  if (is_floating(to) && size_of(to) < 4 && from == DType::int64)
    return small_from_wide<std::int64_t>(to, overflow);
  return HWY_DYNAMIC_DISPATCH(find_conversion)(to, from, overflow);
}

HWY_EXPORT(find_streaming);
Conversion streaming_conversion(DType to, DType from) {
  return HWY_DYNAMIC_DISPATCH(find_streaming)(to, from);
}

void convert_all(void* to, DType to_type, const void* from, DType from_type, std::int64_t count) {
  if (to_type == from_type)
    std::memcpy(to, from, static_cast<std::size_t>(count * size_of(to_type)));
  else
    conversion(to_type, from_type)(to, from, count);
}

}  // namespace napkin::cpu
#endif
