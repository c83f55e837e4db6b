// Codes of the elements of blocks in fewer steps than numeric/format.h takes, and without a choice:
// the same codes and numbers, as the test shows for all that blocks ask for.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/core/config.h"
#include "common/numeric/blocks.h"

namespace napkin {

template <Format f>
struct Encoding {
  static constexpr int drop = 23 - f.mantissa_bits, sign_shift = 31 - f.magnitude_bits();
  static constexpr std::int32_t first = (128 - f.bias) << 23;  // the smallest exponent
  static constexpr std::int32_t base = drop << 23, infinity = 0x7f800000;
  static constexpr auto sign = static_cast<std::int32_t>(f.sign());
  static constexpr std::int32_t most = std::bit_cast<std::int32_t>(largest(Format{f}));
};

// encode_narrow, saturating, of what is no NaN: adding 2^23 units of the last place, as large as
// they are there, rounds and leaves the number of units.
template <Format f>
NAPKIN_RULE std::uint32_t code_of(float x) {
  using E = Encoding<f>;
  constexpr std::int32_t first = E::first, most = E::most;
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t magnitude = std::min(bits & 0x7fffffff, most);
  const std::int32_t exponent = std::max(magnitude & E::infinity, first);
  const std::int32_t base = exponent + E::base;
  const float sum = std::bit_cast<float>(magnitude) + std::bit_cast<float>(base);
  const std::int32_t units = std::bit_cast<std::int32_t>(sum) - base;
  const std::int32_t code = units + ((exponent - first) >> E::drop);
  const auto sign = static_cast<std::uint32_t>(E::sign);
  return static_cast<std::uint32_t>(code) |
         ((static_cast<std::uint32_t>(bits) >> E::sign_shift) & sign);
}

// decode_narrow: units of the last place times their size.
template <Format f>
NAPKIN_RULE float value_of(std::uint32_t bits_of_code) {
  const auto code = static_cast<std::int32_t>(bits_of_code);
  constexpr auto sign = static_cast<std::int32_t>(f.sign());
  const std::int32_t magnitude = code & (sign - 1);
  const std::int32_t field = std::max(magnitude >> f.mantissa_bits, 1);
  const std::int32_t units = magnitude - ((field - 1) << f.mantissa_bits);
  const std::int32_t size = (field + 127 - f.bias - f.mantissa_bits) << 23;
  std::int32_t bits =
      std::bit_cast<std::int32_t>(static_cast<float>(units) * std::bit_cast<float>(size));
  if (f.specials != Specials::none) {  // with exponents all ones they become infinity and NaN
    constexpr auto past = static_cast<std::int32_t>(f.largest_code()) + 1;
    bits |= -((magnitude + sign - past) >> f.magnitude_bits()) & 0x7f800000;
  }
  return std::bit_cast<float>(bits | (code & sign) << (31 - f.magnitude_bits()));
}

}  // namespace napkin
