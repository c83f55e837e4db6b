// Numbers as unsigned integers in the same order, for sorting: one rule for CPU and GPU.
//
// Negative numbers have all bits turned, the others the sign bit, so that the bits count upwards
// from -infinity. -0 and 0 are equal; every NaN is the largest key, above infinity, as PyTorch
// sorts it.
#pragma once
#include <cstdint>
#include <type_traits>

#include "common/core/config.h"
#include "common/numeric/small_float.h"

namespace napkin {

// The key of a floating-point number with these bits, `infinity` being the bits of infinity.
template <class Bits>
NAPKIN_HD constexpr Bits floating_key(Bits bits, Bits infinity) {
  constexpr auto sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const auto magnitude = static_cast<Bits>(bits & ~sign);
  const auto key = static_cast<Bits>((bits & sign) != 0 ? ~bits : bits | sign);
  const Bits number = magnitude == 0 ? sign : key;
  return magnitude > infinity ? static_cast<Bits>(~Bits{0}) : number;
}

NAPKIN_HD constexpr std::uint64_t order_key(double x) {
  return floating_key(__builtin_bit_cast(std::uint64_t, x), std::uint64_t{0x7ff0} << 48);
}
NAPKIN_HD constexpr std::uint32_t order_key(float x) {
  return floating_key(__builtin_bit_cast(std::uint32_t, x), std::uint32_t{0x7f800000});
}
template <class Small>
  requires is_small_float<Small>
NAPKIN_HD constexpr auto order_key(Small x) {
  constexpr Format f = Small::format;
  constexpr auto first_nan = f.largest_code() + (f.specials == Specials::ieee ? 2 : 1);
  return floating_key(x.bits, static_cast<typename Small::Code>(first_nan - 1));
}
NAPKIN_HD constexpr std::uint64_t order_key(std::int64_t x) {
  return static_cast<std::uint64_t>(x) ^ (std::uint64_t{1} << 63);
}
NAPKIN_HD constexpr std::uint32_t order_key(std::int32_t x) {
  return static_cast<std::uint32_t>(x) ^ (std::uint32_t{1} << 31);
}
NAPKIN_HD constexpr std::uint16_t order_key(std::uint16_t x) { return x; }
NAPKIN_HD constexpr std::uint8_t order_key(std::uint8_t x) { return x; }
NAPKIN_HD constexpr std::uint8_t order_key(bool x) { return x ? 1 : 0; }

template <class T>
using OrderKey = decltype(order_key(T{}));

}  // namespace napkin
