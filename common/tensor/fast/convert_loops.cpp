// The rule of convert.h in a loop, for every instruction set (elementwise_loops.cpp says how).
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/tensor/convert.h"
#include "common/tensor/fast/half_bits.h"
#include "common/tensor/fast/loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/convert_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/fast/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {

// convert<To>(x), with half.h's branches replaced.
template <class To, class From>
inline To element(From x) {
  constexpr bool to_bf16 = std::is_same_v<To, BFloat16>, to_fp16 = std::is_same_v<To, Float16>;
  if constexpr (to_bf16 && std::is_same_v<From, float>)
    return To::from_bits(bf16_code(x));
  else if constexpr (to_fp16 && std::is_same_v<From, float>)
    return To::from_bits(fp16_code(x));
  else if constexpr (std::is_same_v<From, BFloat16>)
    return bf16_value(x.bits);
  else if constexpr (std::is_same_v<From, Float16>)
    return fp16_value(x.bits);
  else
    return convert<To>(x);
}

template <class To, class From>
void loop(void* to, const void* from, std::int64_t count) {
  auto* t = static_cast<To*>(to);
  const auto* f = static_cast<const From*>(from);
  NAPKIN_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) t[i] = element<To>(f[i]);
}

template <class From>
Conversion find_from(DType to) {
  switch (to) {
    case DType::fp64:
      return loop<double, From>;
    case DType::fp32:
      return loop<float, From>;
    case DType::bf16:
      return loop<BFloat16, From>;
    case DType::fp16:
      return loop<Float16, From>;
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

Conversion find(DType to, DType from) {
  switch (from) {
    case DType::fp64:
      return find_from<double>(to);
    case DType::fp32:
      return find_from<float>(to);
    case DType::int64:
      return find_from<std::int64_t>(to);
    case DType::bf16:
      return loop<float, BFloat16>;
    case DType::fp16:
      return loop<float, Float16>;
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
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(find);
Conversion conversion(DType to, DType from) { return HWY_DYNAMIC_DISPATCH(find)(to, from); }

void convert_all(void* to, DType to_type, const void* from, DType from_type, std::int64_t count) {
  if (to_type == from_type)
    std::memcpy(to, from, static_cast<std::size_t>(count * size_of(to_type)));
  else
    conversion(to_type, from_type)(to, from, count);
}

}  // namespace napkin::fast
#endif
