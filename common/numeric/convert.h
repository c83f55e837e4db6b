// One element from one type to another: the rule of every copy between dtypes, on CPU and GPU.
//
// To a floating type: rounded once to nearest, ties to even, also from double and from int64
// (PyTorch goes through float on the way to the small types). What lies past the largest number
// then becomes infinity, as infinity does, or, in e4m3fn, which has no infinity, the largest number
// of that sign: PyTorch 2.15's rule. Another rule is named at the call: to(dtype, Overflow). NaN
// stays NaN. From a floating type to an integer:
// the fraction is dropped; what lies outside the integer's range becomes its nearest end, NaN
// becomes 0 (undefined in C++ and PyTorch). Between integers: modulo 2^bits, as in PyTorch. To
// bool: whether it is not zero (NaN is true).
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/core/config.h"
#include "common/numeric/dtype.h"

namespace napkin {

// x cut to the range of Integer and its fraction dropped; NaN is 0.
template <std::integral Integer, std::floating_point Real>
NAPKIN_HD constexpr Integer truncate_to(Real x) {
  // -min is a power of two, so both ends are exact in every Real; max + 1 is one too.
  constexpr Real low = static_cast<Real>(std::numeric_limits<Integer>::min());
  constexpr Real past_high = static_cast<Real>(std::numeric_limits<Integer>::max() / 2 + 1) * 2;
  if (x != x) return 0;
  if (x <= low) return std::numeric_limits<Integer>::min();
  if (x >= past_high) return std::numeric_limits<Integer>::max();
  return static_cast<Integer>(x);
}

// The double that rounds to the same small number as the integer: where 53 bits are too few, a
// last bit that stands for all the bits dropped.
NAPKIN_HD constexpr double with_sticky_bit(std::int64_t x) {
  const std::int64_t dropped = x & 0x7ff;
  const std::int64_t kept = x - dropped;
  const bool exact = x >= -(1LL << 53) && x <= (1LL << 53);
  return static_cast<double>(exact ? x : kept | (dropped != 0 ? 0x800 : 0));
}

// The rule for what does not fit a floating dtype, where none is named.
NAPKIN_HD constexpr Overflow usual_overflow(DType to) {
  return to == DType::e4m3fn ? Float8E4M3fn::usual_overflow : Overflow::to_special;
}

// The overflow counts for small floating types alone.
template <class To, class From>
NAPKIN_RULE To convert(From x, Overflow overflow = usual_overflow(dtype_of<To>)) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_small_float<From>) {
    return convert<To>(static_cast<float>(x), overflow);
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From{};
  } else if constexpr (is_small_float<To> && std::is_integral_v<From>) {
    return To(with_sticky_bit(static_cast<std::int64_t>(x)), overflow);
  } else if constexpr (is_small_float<To>) {
    return To(x, overflow);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return truncate_to<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace napkin
