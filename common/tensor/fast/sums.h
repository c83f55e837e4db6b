// The type in which elements are added up by position, and the ways there and back.
#pragma once
#include <cstdint>
#include <type_traits>

#include "common/tensor/fast/half_bits.h"

namespace napkin::fast {

// FP32 for fp32 and small floats, FP64 for fp64, integers modulo 2^64.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, double>, double,
                               std::conditional_t<std::is_integral_v<T>, std::uint64_t, float>>;

template <class T>
NAPKIN_HD constexpr Sum<T> widen(T x) {
  if constexpr (is_small_float<T>)
    return value_of(x);
  else
    return static_cast<Sum<T>>(x);
}

template <class T>
NAPKIN_HD constexpr T narrow(Sum<T> x) {
  if constexpr (is_small_float<T>)
    return small_from<T>(x);
  else
    return static_cast<T>(x);  // to bool: whether it is not 0
}

}  // namespace napkin::fast
