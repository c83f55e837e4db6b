// Blocks in loops with constant formats, which become vector code (levels.h).
#include "common/tensor/cpu/quantize/quantize_loops.h"

#include <algorithm>
#include <bit>

#include "common/numeric/blocks.h"
#include "common/tensor/cpu/quantize/plain.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/quantize/quantize_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "common/tensor/cpu/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// encode and decode (numeric/format.h) for 16 numbers side by side; codes are packed.
#if HWY_TARGET == HWY_SCALAR

using plain::decode_16;
using plain::encode_16;

#else

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;

template <Format f>
struct Encoding {
  static constexpr int drop = 23 - f.mantissa_bits, sign_shift = 31 - f.magnitude_bits();
  static constexpr std::int32_t first = (128 - f.bias) << 23;  // the smallest exponent
  static constexpr std::int32_t base = drop << 23, infinity = 0x7f800000;
  static constexpr auto sign = static_cast<std::int32_t>(f.sign());
  static constexpr std::int32_t most = std::bit_cast<std::int32_t>(largest(Format{f}));
};

// Only the lowest bits are kept, so that neither the base nor its exponent has to be taken off:
// what is left of them is in the constant, which is even and leaves the rounding as it is.
template <Format f>
HWY_INLINE void encode_16(const float* x, float lift, float inverse, std::uint8_t* to) {
  using E = Encoding<f>;
  constexpr std::int32_t base_and_rest = E::base + (-(E::first >> E::drop) & 0xff);
  const Floats d;
  const Ints i;
  const auto constant = [=](std::int32_t value) { return hn::Set(i, value); };
  for (std::size_t k = 0; k < 16; k += hn::Lanes(d)) {
    const auto scaled =
        hn::Mul(hn::Mul(hn::LoadU(d, x + k), hn::Set(d, lift)), hn::Set(d, inverse));
    const auto magnitude = hn::Min(hn::BitCast(i, hn::Abs(scaled)), constant(E::most));
    const auto exponent = hn::Max(hn::And(magnitude, constant(E::infinity)), constant(E::first));
    const auto base = hn::Add(exponent, constant(base_and_rest));
    const auto sum = hn::Add(hn::BitCast(d, magnitude), hn::BitCast(d, base));
    const auto code = hn::Add(hn::BitCast(i, sum), hn::ShiftRight<E::drop>(exponent));
    const auto sign = hn::ShiftRight<E::sign_shift>(hn::BitCast(i, scaled));
    const auto codes = hn::OrAnd(code, sign, constant(E::sign));
    if constexpr (f.bits() == 8) {
      const hn::Rebind<std::uint8_t, Floats> bytes;
      const hn::RebindToUnsigned<Ints> words;
      hn::StoreU(hn::TruncateTo(bytes, hn::BitCast(words, codes)), bytes, to + k);
    } else {
      const hn::RepartitionToWide<hn::RebindToUnsigned<Ints> > pairs;
      const hn::Rebind<std::uint8_t, decltype(pairs)> bytes;
      const auto first = hn::BitCast(pairs, codes), second = hn::ShiftRight<28>(first);
      const auto both = hn::OrAnd(first, second, hn::Set(pairs, 0xf0));
      hn::StoreU(hn::TruncateTo(bytes, both), bytes, to + k / 2);
    }
  }
}

// As many codes as a vector holds.
template <Format f>
HWY_INLINE auto codes_at(const std::uint8_t* from) {
  const Ints i;
  if constexpr (f.bits() == 8) {
    const hn::Rebind<std::uint8_t, Ints> bytes;
    return hn::PromoteTo(i, hn::LoadU(bytes, from));
  } else {
    const hn::RepartitionToWide<hn::RebindToUnsigned<Ints> > pairs;
    const hn::Rebind<std::uint32_t, decltype(pairs)> words;
    const hn::Rebind<std::uint8_t, decltype(pairs)> bytes;
    const auto two = hn::PromoteTo(pairs, hn::PromoteTo(words, hn::LoadU(bytes, from)));
    const auto nibbles = hn::Set(pairs, std::uint64_t{15} << 32 | 15);
    return hn::BitCast(i, hn::And(hn::Or(two, hn::ShiftLeft<28>(two)), nibbles));
  }
}

template <Format f>
HWY_INLINE void decode_16(const std::uint8_t* codes, float factor, float* y) {
  using E = Encoding<f>;
  const Floats d;
  const Ints i;
  const auto constant = [=](std::int32_t value) { return hn::Set(i, value); };
  for (std::size_t k = 0; k < 16; k += hn::Lanes(d)) {
    const auto code = codes_at<f>(codes + k * f.bits() / 8);
    const auto magnitude = hn::And(code, constant(E::sign - 1));
    const auto field = hn::Max(hn::ShiftRight<f.mantissa_bits>(magnitude), constant(1));
    const auto units =
        hn::Sub(magnitude, hn::ShiftLeft<f.mantissa_bits>(hn::Sub(field, constant(1))));
    const auto size = hn::ShiftLeft<23>(hn::Add(field, constant(127 - f.bias - f.mantissa_bits)));
    auto bits = hn::BitCast(i, hn::Mul(hn::ConvertTo(d, units), hn::BitCast(d, size)));
    if constexpr (f.specials != Specials::none) {
      constexpr auto past = static_cast<std::int32_t>(f.largest_code()) + 1;
      const auto special =
          hn::ShiftRight<f.magnitude_bits()>(hn::Add(magnitude, constant(E::sign - past)));
      bits = hn::Or(bits, hn::And(hn::Neg(special), constant(E::infinity)));
    }
    bits = hn::Or(bits, hn::ShiftLeft<E::sign_shift>(hn::And(code, constant(E::sign))));
    hn::StoreU(hn::Mul(hn::BitCast(d, bits), hn::Set(d, factor)), d, y + k);
  }
}

#endif

// Everything that is called in a loop becomes part of it.
#undef NAPKIN_LOOP
#define NAPKIN_LOOP __attribute__((flatten))

// Calls part(n, i, count) for the part of each block n that is in the run, from its element i
// on. The sizes that formats have are constants there.
template <std::int64_t size, class Part>
HWY_INLINE std::int64_t for_whole_blocks(const Run& at, const Part& part) {
  for (std::int64_t n = 0; n < at.count / size; ++n) part(n, n * size, size);
  return at.count / size;
}

template <class Part>
HWY_INLINE void for_each_part(const Run& at, const Part& part) {
  std::int64_t n = 0;
  if (at.first % at.size == 0 && at.size == 16) n = for_whole_blocks<16>(at, part);
  if (at.first % at.size == 0 && at.size == 32) n = for_whole_blocks<32>(at, part);
  std::int64_t i = n * at.size, left = at.size - (at.first + i) % at.size;
  for (; i < at.count; ++n, i += left, left = at.size) part(n, i, std::min(left, at.count - i));
}

NAPKIN_LOOP void maxima(const float* x, const Run& at, float* amax) {
  const bool fetches = at.next != nullptr;
  for_each_part(
      at, [=](std::int64_t n, std::int64_t i, std::int64_t count) __attribute__((always_inline)) {
        if (fetches)
          for (std::int64_t k = i; k < i + count; k += 16)
            hwy::Prefetch(at.next + k * at.next_size);
        amax[n] = largest_magnitude(x + i, count);
      });
}

// The given format with a constant scale, which decides what is computed.
template <Format scale>
HWY_INLINE BlockFormat with_scale(const BlockFormat& f) {
  return {.element = f.element, .scale = scale, .rule = f.rule, .tensor_scale = f.tensor_scale};
}

template <Format scale>
using ScaleCode = std::conditional_t<scale == formats::fp32, float, std::uint8_t>;

template <Format scale>
NAPKIN_LOOP void encode_scales(const BlockFormat& given, float of_tensor, const float* amax,
                               std::int64_t blocks, void* to) {
  const BlockFormat f = with_scale<scale>(given);
  const float largest_element = largest(f.element);
  auto* codes = static_cast<ScaleCode<scale>*>(to);
  NAPKIN_INDEPENDENT
  for (std::int64_t n = 0; n < blocks; ++n) {
    const std::uint32_t code = block_scale(f, largest_element, amax[n], of_tensor);
    if constexpr (scale == formats::fp32)
      codes[n] = std::bit_cast<float>(code);
    else
      codes[n] = static_cast<std::uint8_t>(code);
  }
}

// The scales of a run.
struct DecodedScales {
  float scale[quantize_chunk + 1], lift[quantize_chunk + 1], inverse[quantize_chunk + 1];
};

template <Format scale>
HWY_NOINLINE void decode_scales_of(const BlockFormat& given, float of_tensor, const void* from,
                                   std::int64_t blocks, DecodedScales& to) {
  const BlockFormat f = with_scale<scale>(given);
  const auto* codes = static_cast<const ScaleCode<scale>*>(from);
  for (std::int64_t n = 0; n < blocks; ++n) {
    std::uint32_t code = 0;
    if constexpr (scale == formats::fp32)
      code = std::bit_cast<std::uint32_t>(codes[n]);
    else
      code = codes[n];
    const BlockScale s = scale_of(f, code, of_tensor);
    to.scale[n] = s.scale;
    to.lift[n] = s.lift;
    to.inverse[n] = s.inverse;
  }
}

HWY_NOINLINE void decode_scales(const BlockFormat& f, float of_tensor, const void* from,
                                std::int64_t blocks, DecodedScales& to) {
  if (f.scale == formats::e8m0)
    decode_scales_of<formats::e8m0>(f, of_tensor, from, blocks, to);
  else if (f.scale == formats::e4m3fn)
    decode_scales_of<formats::e4m3fn>(f, of_tensor, from, blocks, to);
  else
    decode_scales_of<formats::fp32>(f, of_tensor, from, blocks, to);
}

// The code of element k, where those before it are there.
HWY_INLINE void put(std::uint8_t* codes, std::int64_t k, int bits, std::uint32_t code) {
  if (bits == 8)
    codes[k] = static_cast<std::uint8_t>(code);
  else
    codes[k / 2] = k % 2 == 0 ? packed(code, 0) : packed(codes[k / 2], code);
}

template <Format element>
NAPKIN_LOOP void encode_elements(const BlockFormat& f, float of_tensor, const void* from,
                                 const float* x, const Run& at, std::uint8_t* codes) {
  constexpr int bits = element.bits();
  DecodedScales scales;
  decode_scales(f, of_tensor, from, at.blocks(), scales);
  for_each_part(
      at, [&](std::int64_t n, std::int64_t i, std::int64_t count) __attribute__((always_inline)) {
        const float lift = scales.lift[n], inverse = scales.inverse[n];
        const std::int64_t last = i + count;
        const bool is_nan = inverse != inverse;
        const auto one = [&](std::int64_t k) {
          const float scaled = x[k] * lift * inverse;
          put(codes, k, bits, is_nan ? 0 : encode<element>(scaled, Overflow::saturate));
        };
        std::int64_t k = i;
        if (k % 2 != 0) one(k++);
        for (; !is_nan && k + 16 <= last; k += 16) {
          hwy::Prefetch(at.next + k * at.next_size);
          encode_16<element>(x + k, lift, inverse, codes + k * bits / 8);
        }
        for (; k < last; ++k) one(k);
      });
}

template <Format element>
NAPKIN_LOOP void decode_elements(const BlockFormat& f, float of_tensor, const void* from,
                                 const std::uint8_t* codes, const Run& at, float* y) {
  constexpr int bits = element.bits();
  DecodedScales scales;
  decode_scales(f, of_tensor, from, at.blocks(), scales);
  for_each_part(
      at, [&](std::int64_t n, std::int64_t i, std::int64_t count) __attribute__((always_inline)) {
        const float factor = scales.scale[n];
        const std::int64_t last = i + count;
        const auto one = [&](std::int64_t k) {
          y[k] = decode<element>(static_cast<std::uint8_t>(packed_code(codes, k, bits))) * factor;
        };
        std::int64_t k = i;
        if (k % 2 != 0) one(k++);
        for (; k + 16 <= last; k += 16) decode_16<element>(codes + k * bits / 8, factor, y + k);
        for (; k < last; ++k) one(k);
      });
}

template <Format element>
QuantizeLoops with_elements(QuantizeLoops loops) {
  loops.encode = encode_elements<element>;
  loops.decode = decode_elements<element>;
  return loops;
}

QuantizeLoops find_quantize_loops(const BlockFormat& f) {
  QuantizeLoops loops{maxima, encode_scales<formats::fp32>, nullptr, nullptr};
  if (f.scale == formats::e8m0) loops.scales = encode_scales<formats::e8m0>;
  if (f.scale == formats::e4m3fn) loops.scales = encode_scales<formats::e4m3fn>;
  if (f.element == formats::e4m3fn) return with_elements<formats::e4m3fn>(loops);
  if (f.element == formats::e5m2) return with_elements<formats::e5m2>(loops);
  return with_elements<formats::e2m1>(loops);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_quantize_loops);
QuantizeLoops quantize_loops(const BlockFormat& f) {
  return HWY_DYNAMIC_DISPATCH(find_quantize_loops)(f);
}

}  // namespace napkin::cpu
#endif
