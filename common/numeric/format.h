// Number formats from FP64 to FP4: one description for each, one rounding rule for all of them.
//
// Rounding is to nearest, ties to even, once: an FP64 number is never narrowed to FP32 on the way,
// as PyTorch and ml_dtypes do (1 + 2^-8 + 2^-40 is the bf16 1.0078125 here and 1 there). Which code
// an overflow gives is named at the call. Where libraries differ, this is our rule:
//
//                       here                 ml_dtypes 0.6    PyTorch 2.15      CUDA 13
//   overflow            named at the call    to_special       e4m3fn saturates  named at the call
//   infinity, saturate  largest number       -                e4m3fn the same   the same
//   e5m2 NaN            7e, fe               7e, fe           7f, ff            7f
//   e4m3fn NaN          7f, ff               7f, ff           7f, ff            7f
//   bf16 NaN            7fc0, ffc0           7fc0, ffc0       7fc0 or ffff      7fff
//   e2m1 of NaN         7 (it has no NaN)    8, 0             -                 7
//   e2m1 overflow       7, f in both modes   7, f             -                 7, f
//   e8m0 of 0           00, as 2^-128        ff               00                00
//   e8m0 of -1          ff                   ff               7f, as 1          7f, as 1
//   e8m0 ties           upwards              upwards          upwards           -
//   (1, 1.5) 2^-127     00, the nearer one   01               01                00 (floor)
//
// Blocks of numbers that share a scale: blocks.h. What tensors store: small_float.h.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/core/config.h"

// A rule that takes a format: in loops with a constant one, only what is inlined folds.
#define NAPKIN_RULE [[gnu::always_inline]] NAPKIN_HD constexpr

namespace napkin {

// What the topmost codes of a format stand for.
enum class Specials : std::uint8_t {
  ieee,         // exponent all ones: infinity, and NaN where the mantissa is not 0
  finite_only,  // no infinity; NaN is the code with all ones, one for each sign
  none,         // every code is a number
  scale,        // no sign, no zero, no mantissa: powers of two, and NaN with all ones
};

// (-1)^sign 2^(exponent - bias) 1.mantissa; where the exponent field is 0: 2^(1 - bias) 0.mantissa.
struct Format {
  int exponent_bits, mantissa_bits, bias;
  Specials specials;

  NAPKIN_HD constexpr int magnitude_bits() const { return exponent_bits + mantissa_bits; }
  NAPKIN_HD constexpr int bits() const {
    return magnitude_bits() + (specials == Specials::scale ? 0 : 1);
  }
  // Where the sign stands; a scale has none and loses nothing by the same arithmetic.
  NAPKIN_HD constexpr std::uint64_t sign() const { return std::uint64_t{1} << magnitude_bits(); }
  NAPKIN_HD constexpr std::uint64_t largest_code() const {
    const std::uint64_t ones = sign() - 1;
    if (specials == Specials::none) return ones;
    if (specials == Specials::ieee) return ones - (std::uint64_t{1} << mantissa_bits);
    return ones - 1;
  }
  // NaN, quiet, of either sign. A format without NaN has its largest number there, as CUDA does.
  NAPKIN_HD constexpr std::uint64_t nan_code(bool negative) const {
    if (specials == Specials::none) return largest_code();
    const std::uint64_t quiet = std::uint64_t{1} << std::max(mantissa_bits - 1, 0);
    const std::uint64_t nan = specials == Specials::ieee ? largest_code() + 1 + quiet : sign() - 1;
    return negative && specials != Specials::scale ? nan | sign() : nan;
  }
  NAPKIN_HD constexpr bool is_infinity(std::uint64_t code) const {
    return specials == Specials::ieee && (code & (sign() - 1)) == largest_code() + 1;
  }
  NAPKIN_HD constexpr bool is_nan(std::uint64_t code) const {
    return (code & (sign() - 1)) > largest_code() && !is_infinity(code);
  }
  friend constexpr bool operator==(const Format&, const Format&) = default;
};

// IEEE 754-2019 (fp64, fp32, fp16); NVIDIA A100 architecture whitepaper (tf32: FP32's range and
// fp16's precision, 19 bits); Intel BFLOAT16 definition 338302 (bf16); OCP OFP8 v1.0, also
// Micikevicius et al. 2022, arXiv:2209.05433 (e4m3fn, e5m2); OCP Microscaling Formats (MX) v1.0
// (e2m1, e8m0).
namespace formats {
inline constexpr Format fp64{11, 52, 1023, Specials::ieee};
inline constexpr Format fp32{8, 23, 127, Specials::ieee};
inline constexpr Format tf32{8, 10, 127, Specials::ieee};
inline constexpr Format fp16{5, 10, 15, Specials::ieee};
inline constexpr Format bf16{8, 7, 127, Specials::ieee};
inline constexpr Format e4m3fn{4, 3, 7, Specials::finite_only};
inline constexpr Format e5m2{5, 2, 15, Specials::ieee};
inline constexpr Format e2m1{2, 1, 1, Specials::none};
inline constexpr Format e8m0{8, 0, 127, Specials::scale};
}  // namespace formats

// What a number past the largest one becomes, once rounded; infinity itself counts as such.
enum class Overflow : std::uint8_t {
  saturate,    // the largest number
  to_special,  // infinity; NaN where the format has none; the largest number where it has neither
};

NAPKIN_RULE std::uint64_t overflow_code(const Format& f, Overflow overflow) {
  const bool special = overflow == Overflow::to_special && f.specials != Specials::none;
  return f.largest_code() + (special ? 1 : 0);
}

// To a power of two: the one below, the one above, the nearer one (at 1.5 the one above).
enum class ScaleRule : std::uint8_t { floor, up, nearest };

// The e8m0 code: what lies below 2^-127 becomes that, zero too; NaN and negative numbers become
// NaN.
NAPKIN_HD constexpr std::uint32_t encode_scale(double x, ScaleRule rule, Overflow overflow) {
  if (!(x >= 0)) return 255;
  const auto bits = std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const bool up = (rule == ScaleRule::up && fraction != 0) ||
                  (rule == ScaleRule::nearest && fraction >= std::uint64_t{1} << 51);
  const int code = static_cast<int>(bits >> 52) - 1023 + 127 + (up ? 1 : 0);
  if (code > 254) return overflow == Overflow::saturate ? 254 : 255;
  return static_cast<std::uint32_t>(std::max(code, 0));
}

// The code of x in any format.
NAPKIN_HD constexpr std::uint64_t encode(const Format& f, double x, Overflow overflow) {
  if (f.specials == Specials::scale) return encode_scale(x, ScaleRule::nearest, overflow);
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const bool negative = bits >> 63 != 0;
  if (x != x) return f.nan_code(negative);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t significand = fraction | (field != 0 ? std::uint64_t{1} << 52 : 0);
  const int exponent = std::max(field, 1) - 1023;  // |x| = significand 2^(exponent - 52)
  // Kept are multiples of 2^(unit - mantissa_bits); past 54 bits nothing is left to round.
  const int unit = std::max(exponent, 1 - f.bias);
  const int drop = std::min(52 - f.mantissa_bits + unit - exponent, 54);
  const std::uint64_t whole = std::uint64_t{1} << drop;
  const std::uint64_t kept = significand >> drop, twice_rest = 2 * (significand & (whole - 1));
  const bool up = twice_rest > whole || (twice_rest == whole && (kept & 1) != 0);
  // A normal number's leading 1 adds 1 to the exponent field, and so does a carry.
  const std::uint64_t below = static_cast<std::uint64_t>(unit + f.bias - 1) << f.mantissa_bits;
  const std::uint64_t code = below + kept + (up ? 1 : 0);
  const std::uint64_t magnitude = code > f.largest_code() ? overflow_code(f, overflow) : code;
  return negative ? magnitude | f.sign() : magnitude;
}

// a where the condition holds, else b, by arithmetic: a conditional would keep loops from becoming
// vector code where one side is a floating-point sum.
NAPKIN_RULE std::uint32_t select(bool condition, std::uint32_t a, std::uint32_t b) {
  return b ^ ((a ^ b) & (0u - static_cast<std::uint32_t>(condition)));
}

// Whether encode_narrow and decode_narrow know the format: tf32 and those of 16, 8 and 4 bits.
NAPKIN_RULE bool is_narrow(const Format& f) {
  const bool has_exponents_of_fp32 = f.exponent_bits == 8 && f.bias == 127;
  return (f.exponent_bits < 8 || has_exponents_of_fp32) && f.mantissa_bits < 23 &&
         f.specials != Specials::scale;
}

// encode() of an FP32 number in a narrow format, without branches and 64-bit arithmetic, so that
// loops with a constant format become vector code. The one rule of all copies, blocks and kernels.
NAPKIN_RULE std::uint32_t encode_narrow(const Format& f, float x, Overflow overflow) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto magnitude = static_cast<std::int32_t>(bits & 0x7fffffff);
  const int drop = 23 - f.mantissa_bits;
  const auto largest = static_cast<std::int32_t>(f.largest_code());
  const std::int32_t past = static_cast<std::int32_t>(overflow_code(f, overflow)) - largest;
  std::int32_t code = 0;
  if (f.exponent_bits == 8) {
    // FP32's exponents. Half of what is dropped is added, less 1 where the kept part is even; a
    // carry runs into the exponent, as it should, and past the largest number to infinity.
    const std::uint32_t half = (1u << (drop - 1)) - 1 + (bits >> drop & 1);
    code = static_cast<std::int32_t>(((bits & 0x7fffffff) + half) >> drop);
    if (past == 0) code = std::min(code, largest);
  } else {
    // 2^(exponent + dropped bits) is added to |x|, where the spacing of FP32 is the format's at x:
    // the sum is rounded as x should be, and its last bits count those spacings. Cut before is what
    // lies so far out that the code does not change any more.
    const std::int32_t first = (128 - f.bias) << 23;  // the smallest normal number
    const std::int32_t most = ((largest + past) << drop) + ((127 - f.bias) << 23);
    const std::int32_t cut = std::min(magnitude, most);
    const std::int32_t exponent = std::max(cut & 0x7f800000, first);
    const std::int32_t base = exponent + (drop << 23);
    const float sum = std::bit_cast<float>(cut) + std::bit_cast<float>(base);
    code = std::bit_cast<std::int32_t>(sum) - base + ((exponent - first) >> drop);
  }
  const auto sign = (bits >> (31 - f.magnitude_bits())) & static_cast<std::uint32_t>(f.sign());
  const auto number = static_cast<std::uint32_t>(code) | sign;
  const std::uint32_t nan =
      static_cast<std::uint32_t>(f.nan_code(false)) | (f.specials == Specials::none ? 0 : sign);
  return select(magnitude > 0x7f800000, nan, number);
}

NAPKIN_RULE std::uint64_t encode(const Format& f, float x, Overflow overflow) {
  return is_narrow(f) ? encode_narrow(f, x, overflow) : encode(f, static_cast<double>(x), overflow);
}

// The number behind a code, exactly; NaN is quiet and keeps its sign.
NAPKIN_RULE double decode(const Format& f, std::uint64_t code) {
  const std::uint64_t magnitude = code & (f.sign() - 1);
  const auto field = static_cast<int>(magnitude >> f.mantissa_bits);
  const std::uint64_t mantissa = magnitude & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  // As the bits of a double, but for the sign.
  const auto normal =
      static_cast<std::uint64_t>(field - f.bias + 1023) << 52 | mantissa << (52 - f.mantissa_bits);
  std::uint64_t bits = normal;
  if (f.is_nan(code)) {
    bits = 0x7ff8ull << 48;
  } else if (f.is_infinity(code)) {
    bits = 0x7ffull << 52;
  } else if (field == 0 && f.specials != Specials::scale && f.bias < 1023) {
    const auto unit = static_cast<std::uint64_t>(1024 - f.bias - f.mantissa_bits) << 52;
    bits =
        std::bit_cast<std::uint64_t>(static_cast<double>(mantissa) * std::bit_cast<double>(unit));
  }
  return std::bit_cast<double>((code & f.sign()) != 0 ? bits | std::uint64_t{1} << 63 : bits);
}

// decode() of a narrow format to FP32, without branches. The one rule here, too. NaN keeps its bits
// where the format has FP32's exponents or 16 bits (quiet then, as the processor's instruction has
// it); else it is FP32's quiet one.
NAPKIN_RULE float decode_narrow(const Format& f, std::uint32_t code) {
  const auto sign = static_cast<std::uint32_t>(f.sign());
  const std::uint32_t magnitude = code & (sign - 1);
  const std::uint32_t shifted = magnitude << (23 - f.mantissa_bits);
  std::uint32_t bits = shifted;
  if (f.exponent_bits < 8) {
    const std::uint32_t normal = shifted + (static_cast<std::uint32_t>(127 - f.bias) << 23);
    const auto unit = static_cast<std::uint32_t>(128 - f.bias - f.mantissa_bits) << 23;
    const float subnormal =
        static_cast<float>(static_cast<std::int32_t>(magnitude)) * std::bit_cast<float>(unit);
    bits =
        select(magnitude >> f.mantissa_bits == 0, std::bit_cast<std::uint32_t>(subnormal), normal);
    const std::uint32_t past = static_cast<std::uint32_t>(f.largest_code()) + 1;
    const std::uint32_t first_nan = past + (f.specials == Specials::ieee ? 1 : 0);
    const std::uint32_t kept = f.bits() == 16 ? shifted & 0x7fffff : 0;
    if (f.specials == Specials::ieee) bits = select(magnitude >= past, 0x7f800000, bits);
    if (f.specials != Specials::none)
      bits = select(magnitude >= first_nan, 0x7fc00000 | kept, bits);
  }
  return std::bit_cast<float>(bits | (code & sign) << (31 - f.magnitude_bits()));
}

// decode() of e8m0 to FP32, which has 2^-127 below its normal numbers.
NAPKIN_RULE float decode_scale(std::uint32_t code) {
  const std::uint32_t bits = code == 0 ? 1u << 22 : code << 23;
  return std::bit_cast<float>(code == 255 ? 0x7fc00000 : bits);
}

// The same with the format in the type, for constants and loops: encode<formats::e4m3fn>(x, ...).
// A kernel takes it as an argument or a member of a type: nvcc 13 cannot name kernels that have a
// class as template argument, and formats::e4m3fn itself has no address on the device.
template <Format f>
using CodeOf = std::conditional_t<
    f.bits() <= 8, std::uint8_t,
    std::conditional_t<f.bits() <= 16, std::uint16_t,
                       std::conditional_t<f.bits() <= 32, std::uint32_t, std::uint64_t>>>;
template <Format f>
using ValueOf = std::conditional_t<f.bits() <= 32, float, double>;

template <Format f>
NAPKIN_RULE CodeOf<f> encode(float x, Overflow overflow) {
  constexpr Format format = f;
  return static_cast<CodeOf<f>>(encode(format, x, overflow));
}
template <Format f>
NAPKIN_HD constexpr CodeOf<f> encode(double x, Overflow overflow) {
  constexpr Format format = f;
  return static_cast<CodeOf<f>>(encode(format, x, overflow));
}

template <Format f>
NAPKIN_RULE ValueOf<f> decode(CodeOf<f> code) {
  constexpr Format format = f;
  if constexpr (is_narrow(format))
    return decode_narrow(format, code);
  else if constexpr (format.specials == Specials::scale)
    return decode_scale(code);
  else
    return static_cast<ValueOf<f>>(decode(format, std::uint64_t{code}));
}

}  // namespace napkin
