// Blocks of numbers that share a scale: MXFP8, MXFP4, NVFP4, and plain FP32 scales per tensor, row
// or block. One scalar rule for each step, for CPU and GPU.
//
// A number is stored as the code of x / scale, and read as decode(code) scale. With amax = max |x|
// of the block, M the largest number of the elements' format, and M = m 2^e, 1 <= m < 2:
//
//   MX        OCP Microscaling Formats (MX) v1.0, sections 5 and 6.3: 32 numbers share an e8m0
//             scale. floor, the specification's rule: 2^(floor(log2 amax) - e), so that what lies
//             between M and 2^(e + 1) is clipped to M. up: the smallest power of two with
//             amax / scale <= M. nearest: amax / M rounded to a power of two. Kept within 2^-127
//             and 2^127; a block of zeros has 2^-127. An infinity or NaN makes the scale NaN: byte
//             255, every element is NaN, and every code 0.
//   NVFP4     NVIDIA, Pretraining Large Language Models with NVFP4, 2025, arXiv:2509.25149,
//             appendix C: 16 e2m1 numbers share an e4m3fn scale, all of them an FP32 scale g of
//             the tensor. g = amax of the tensor / (6 448). Block: the code of (amax / 6) / g,
//             nearest, saturating. scale = decode(code) g. Where the code is 0 the block is read as
//             zeros. Infinity and NaN have no place here: quantize (tensor/blocks/) refuses them.
//   FP32      scale = amax / M, also refused for infinity and NaN.
//
// FP32 scales (g too) are 1 where all is 0, and never less than 2^-149. Every operation above is
// one FP32 operation. The quotient x / scale is x (1 / scale), both in FP32, as NVIDIA does; for MX
// it is exact. Elements saturate. Largest numbers near FP32's end may be read as infinity: rounding
// up is rounding up.
//
// Two codes of 4 bits share a byte, the first one in the low half; a row starts a byte, and its
// last block is as long as what is left of the row.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/core/config.h"
#include "common/numeric/format.h"

namespace napkin {

struct BlockFormat {
  Format element;
  Format scale;                       // e8m0, e4m3fn or fp32
  ScaleRule rule = ScaleRule::floor;  // for e8m0
  bool tensor_scale = false;          // for e4m3fn
  std::int64_t size = whole_tensor;   // numbers of a row that share a scale, or one of these two

  static constexpr std::int64_t whole_tensor = 0, whole_row = -1;

  friend constexpr bool operator==(const BlockFormat&, const BlockFormat&) = default;
};

namespace block_formats {
constexpr BlockFormat mx(const Format& element, ScaleRule rule = ScaleRule::floor) {
  return {.element = element, .scale = formats::e8m0, .rule = rule, .size = 32};
}
constexpr BlockFormat fp32_scaled(const Format& element,
                                  std::int64_t size = BlockFormat::whole_tensor) {
  return {.element = element, .scale = formats::fp32, .size = size};
}
inline constexpr BlockFormat mxfp8 = mx(formats::e4m3fn);
inline constexpr BlockFormat mxfp8_e5m2 = mx(formats::e5m2);
inline constexpr BlockFormat mxfp4 = mx(formats::e2m1);
inline constexpr BlockFormat nvfp4{
    .element = formats::e2m1, .scale = formats::e4m3fn, .tensor_scale = true, .size = 16};
}  // namespace block_formats

// How a matrix falls into blocks, row after row.
struct Blocks {
  std::int64_t rows, columns, size;

  NAPKIN_HD constexpr std::int64_t per_row() const {
    return columns / size + (columns % size != 0 ? 1 : 0);
  }
  NAPKIN_HD constexpr std::int64_t count() const { return rows * per_row(); }
  NAPKIN_HD constexpr std::int64_t row(std::int64_t block) const { return block / per_row(); }
  // The first column and the length of a block.
  NAPKIN_HD constexpr std::int64_t column(std::int64_t block) const {
    return block % per_row() * size;
  }
  NAPKIN_HD constexpr std::int64_t length(std::int64_t block) const {
    return std::min(size, columns - column(block));
  }
  // Bytes of a row of codes of so many bits.
  NAPKIN_HD constexpr std::int64_t row_bytes(int bits) const { return (columns * bits + 7) / 8; }
};

// The same for BlockFormat's size; a whole tensor is one row.
constexpr Blocks blocks_of(std::int64_t rows, std::int64_t columns, std::int64_t size) {
  if (size == BlockFormat::whole_tensor) return blocks_of(1, rows * columns, rows * columns + 1);
  const std::int64_t all = std::max<std::int64_t>(columns, 1);
  return {rows, columns, size == BlockFormat::whole_row ? all : std::min(size, all)};
}

// The largest number, in FP32, which holds that of every format a block can have.
NAPKIN_RULE float largest(const Format& f) {
  return static_cast<float>(decode(f, f.largest_code()));
}

// max |x|; NaN where one x is. Compared as integers: a loop that becomes vector code.
NAPKIN_RULE float largest_magnitude(const float* x, std::int64_t count) {
  std::uint32_t bits = 0;
  for (std::int64_t i = 0; i < count; ++i)
    bits = std::max(bits, std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffff);
  return std::bit_cast<float>(bits);
}

// amax / largest, but 1 for 0 and never 0 otherwise.
NAPKIN_RULE float fp32_scale(float amax, float largest_number) {
  const float smallest = std::bit_cast<float>(std::uint32_t{1});
  if (amax == 0) return 1;
  return std::max(amax / largest_number, smallest);
}

// The e8m0 code for elements of a format with that largest number M, exactly: by the exponent of
// amax and, for the rules up and nearest, its mantissa compared with that of M.
NAPKIN_RULE std::uint32_t mx_scale(float largest_element, ScaleRule rule, float amax) {
  const auto bits = std::bit_cast<std::uint32_t>(amax);
  if (bits >= 0x7f800000) return 255;
  const auto largest_bits = std::bit_cast<std::uint32_t>(largest_element);
  const std::uint32_t ones = (1u << 23) - 1;
  const std::uint32_t mantissa = bits & ones, largest_mantissa = largest_bits & ones;
  // log2 of amax / M rounded down is e(amax) - e, or 1 less where the mantissa is below M's.
  int code = static_cast<int>(bits >> 23) - static_cast<int>(largest_bits >> 23) + 127;
  if (rule == ScaleRule::up && mantissa > largest_mantissa) ++code;
  // amax / M is nearer to the power below where amax's mantissa is less than 0.75 of M's, with
  // their leading ones: m is 1.5 or more, so that amax / M reaches 1.5 times a power nowhere else.
  if (rule == ScaleRule::nearest && 4 * (mantissa + ones + 1) < 3 * (largest_mantissa + ones + 1))
    --code;
  return static_cast<std::uint32_t>(std::max(code, 0));
}

// The FP32 scale of a whole tensor; 1 where the format has none.
NAPKIN_RULE float tensor_scale(const BlockFormat& f, float amax) {
  return f.tensor_scale ? fp32_scale(amax, largest(f.element) * largest(f.scale)) : 1;
}

// The code of a block's scale; in a loop, the elements' largest number is better found before it.
NAPKIN_RULE std::uint32_t block_scale(const BlockFormat& f, float largest_element, float amax,
                                      float of_tensor) {
  if (f.scale.specials == Specials::scale) return mx_scale(largest_element, f.rule, amax);
  if (!is_narrow(f.scale)) return std::bit_cast<std::uint32_t>(fp32_scale(amax, largest_element));
  return encode_narrow(f.scale, amax / largest_element / of_tensor, Overflow::saturate);
}
NAPKIN_RULE std::uint32_t block_scale(const BlockFormat& f, float amax, float of_tensor) {
  return block_scale(f, largest(f.element), amax, of_tensor);
}

// What the numbers of a block are multiplied by: on the way in first lift, then inverse.
struct BlockScale {
  float scale, lift, inverse;
};

// The number behind a block's scale code, without the tensor's.
NAPKIN_RULE float decoded_scale(const BlockFormat& f, std::uint32_t code) {
  if (f.scale.specials == Specials::scale) return decode_scale(code);
  return is_narrow(f.scale) ? decode_narrow(f.scale, code) : std::bit_cast<float>(code);
}

NAPKIN_RULE BlockScale scale_of(const BlockFormat& f, std::uint32_t code, float of_tensor) {
  const float own = decoded_scale(f, code);
  const float scale = f.tensor_scale ? own * of_tensor : own;
  if (scale == 0) return {0, 1, 0};
  // 1 / scale would pass FP32's end for a very small scale: there both are lifted, exactly.
  const float lift = scale < 0x1p-64f ? 0x1p64f : 1.0f;
  return {scale, lift, 1 / (scale * lift)};
}

// The code of a number under its block's scale.
NAPKIN_RULE std::uint32_t quantize(const BlockFormat& f, float x, const BlockScale& s) {
  const std::uint32_t code = encode_narrow(f.element, x * s.lift * s.inverse, Overflow::saturate);
  return select(s.scale != s.scale, 0, code);
}

NAPKIN_RULE float dequantize(const BlockFormat& f, std::uint32_t code, float scale) {
  return decode_narrow(f.element, code) * scale;
}

// The number of the block at `index` of a packed row: codes of 4 bits or 8.
NAPKIN_RULE std::uint32_t packed_code(const std::uint8_t* row, std::int64_t index, int bits) {
  return bits == 4 ? row[index / 2] >> (index % 2 * 4) & 15 : row[index];
}

// Two 4-bit codes as a byte.
NAPKIN_RULE std::uint8_t packed(std::uint32_t first, std::uint32_t second) {
  return static_cast<std::uint8_t>(first | second << 4);
}

}  // namespace napkin
