// The small floating-point types that tensors store, by the rule of format.h: a code, and what it
// takes to convert it.
//
// bf16: 1 sign, 8 exponent, 7 mantissa bits: the upper half of an FP32 number (lecture 3.3).
// fp16: 1 sign, 5 exponent, 10 mantissa bits: IEEE 754 binary16.
// e4m3fn, e5m2: FP8 with 4 exponent and 3 mantissa bits, or 5 and 2 (lecture 3.6).
// A double is rounded once, never through float (PyTorch goes through float: 1 + 2^-8 + 2^-40 is
// the bf16 1.0 there and 1.0078125 here).
#pragma once
#include "common/core/config.h"
#include "common/numeric/format.h"

namespace napkin {

// Numbers for the parameters, not one Format: nvcc 13 cannot name kernels of such types.
template <int exponent_bits, int mantissa_bits, Specials specials = Specials::ieee>
struct SmallFloat {
  static constexpr Format format = {exponent_bits, mantissa_bits, (1 << (exponent_bits - 1)) - 1,
                                    specials};
  using Code = CodeOf<format>;
  // Where none is named: infinity, or, in a format that has none, the largest number.
  static constexpr Overflow usual_overflow =
      specials == Specials::ieee ? Overflow::to_special : Overflow::saturate;

  Code bits = 0;

  constexpr SmallFloat() = default;
  NAPKIN_HD constexpr explicit SmallFloat(double x, Overflow overflow = usual_overflow)
      : bits(encode<format>(x, overflow)) {}
  NAPKIN_RULE explicit SmallFloat(float x, Overflow overflow = usual_overflow)
      : bits(encode<format>(x, overflow)) {}
  NAPKIN_RULE explicit operator float() const { return decode<format>(bits); }
  NAPKIN_RULE explicit operator double() const { return decode<format>(bits); }
  NAPKIN_RULE static SmallFloat from_bits(Code code) {
    SmallFloat x;
    x.bits = code;
    return x;
  }
  // Equal numbers, not equal bits: -0 equals 0, NaN equals nothing.
  NAPKIN_HD friend constexpr bool operator==(SmallFloat a, SmallFloat b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

using BFloat16 = SmallFloat<8, 7>;
using Float16 = SmallFloat<5, 10>;
using Float8E4M3fn = SmallFloat<4, 3, Specials::finite_only>;
using Float8E5M2 = SmallFloat<5, 2>;

template <class T>
inline constexpr bool is_small_float = false;
template <int exponent_bits, int mantissa_bits, Specials specials>
inline constexpr bool is_small_float<SmallFloat<exponent_bits, mantissa_bits, specials>> = true;

}  // namespace napkin
