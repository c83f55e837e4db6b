// The rule of convert.h in a loop, for every instruction set (elementwise_loops.cpp says how).
#include <cstdint>
#include <cstring>

#include "common/numeric/convert.h"
#include "common/numeric/half_bits.h"
#include "common/tensor/cpu/copy/convert_loops.h"

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
    for (std::int64_t i = first; i < end; ++i) t[i] = converted<To>(f[i], overflow);
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

// By the processor's conversion of fp16, whose upper byte is e5m2; e4m3fn lacks one bit of its
// exponent, which makes the number 256 times too small.
HWY_INLINE hn::Vec<Floats> widened(const Float16* x) {
  const hn::Rebind<hwy::float16_t, Floats> halves;
  return hn::PromoteTo(Floats(), hn::LoadU(halves, reinterpret_cast<const hwy::float16_t*>(x)));
}
template <class Small>
HWY_INLINE hn::Vec<Floats> widened(const Small* x) {
  const hn::Rebind<hwy::float16_t, Floats> halves;
  const hn::Rebind<std::int16_t, Floats> words;
  const hn::Rebind<std::int8_t, Floats> bytes;
  const auto code = hn::PromoteTo(words, hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(x)));
  if constexpr (std::is_same_v<Small, Float8E5M2>) {
    const auto value = hn::PromoteTo(Floats(), hn::BitCast(halves, hn::ShiftLeft<8>(code)));
    return with_quiet_nan(hn::IsNaN(value), value);
  } else {
    const auto half = hn::AndNot(hn::Set(words, 0x4000), hn::ShiftLeft<7>(code));
    const auto part = hn::PromoteTo(Floats(), hn::BitCast(halves, half));
    const auto value = hn::Mul(part, hn::Set(Floats(), 256.0f));
    return with_quiet_nan(hn::Eq(hn::Abs(value), hn::Set(Floats(), 480.0f)), value);
  }
}

template <class Small, bool streams = false>
void widen_loop(void* to, const void* from, std::int64_t count) {
  auto* t = static_cast<float*>(to);
  const auto* f = static_cast<const Small*>(from);
  const auto step = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t i = 0;
  for (; i + step <= count; i += step)
    if constexpr (streams)
      hn::Stream(widened(f + i), Floats(), t + i);
    else
      hn::StoreU(widened(f + i), Floats(), t + i);
  for (; i < count; ++i) t[i] = value_of(f[i]);
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
  for (; i < count; ++i) t[i] = small_from<Float16>(f[i]);
}

Conversion find_streaming(DType to, DType from) {
  if (to != DType::fp32) return nullptr;
  if (from == DType::fp16) return widen_loop<Float16, true>;
  if (from == DType::e4m3fn) return widen_loop<Float8E4M3fn, true>;
  if (from == DType::e5m2) return widen_loop<Float8E5M2, true>;
  return nullptr;
}
#else
Conversion find_streaming(DType, DType) { return nullptr; }
template <class Small>
constexpr Conversion widen_loop = loop<float, Small>;
constexpr Conversion fp16_loop = loop<Float16, float>;
#endif

template <class To, class From>
Conversion small_loop(Overflow overflow) {
  if (std::is_same_v<To, Float16> && std::is_same_v<From, float> && overflow == To::usual_overflow)
    return fp16_loop;
  return overflow == Overflow::saturate ? loop<To, From, Overflow::saturate>
                                        : loop<To, From, Overflow::to_special>;
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

Conversion find(DType to, DType from, Overflow overflow) {
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
      return widen_loop<Float16>;
    case DType::e4m3fn:
      return widen_loop<Float8E4M3fn>;
    case DType::e5m2:
      return widen_loop<Float8E5M2>;
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

HWY_EXPORT(find);
Conversion conversion(DType to, DType from, Overflow overflow) {
  return HWY_DYNAMIC_DISPATCH(find)(to, from, overflow);
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
