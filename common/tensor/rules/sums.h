// Sums by position, on every device: in which order terms are added, in which type, and the ways
// there and back. operations/index.h says what is promised.
#pragma once
#include <cstdint>
#include <type_traits>

#include "common/numeric/small_float.h"

namespace napkin {

enum class Order : std::uint8_t { fixed, racy };

// Positions along the dimension of the index whose terms are added up before a new sum is begun.
inline constexpr std::int64_t terms_of_a_sum = 1024;

// FP32 for fp32 and small floats, FP64 for fp64, integers modulo 2^64.
template <class T>
using Accumulator =
    std::conditional_t<std::is_same_v<T, double>, double,
                       std::conditional_t<std::is_integral_v<T>, std::uint64_t, float>>;

template <class T>
NAPKIN_HD constexpr Accumulator<T> widen(T x) {
  return static_cast<Accumulator<T>>(x);
}

template <class T>
NAPKIN_HD constexpr T narrow(Accumulator<T> x) {
  return static_cast<T>(x);  // to bool: whether it is not 0
}

}  // namespace napkin
