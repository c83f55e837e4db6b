// What the kernels of block tensors see of one, and of the elements on the other side.
#pragma once
#include "common/numeric/blocks.h"
#include "common/tensor/cuda/elements.h"

namespace napkin::cuda {

// A block tensor in the memory of the GPU.
struct BlockParts {
  BlockFormat format;
  Blocks blocks;
  std::uint8_t* codes;
  std::byte* scales;
  const float* tensor_scale;  // null where the format has none

  NAPKIN_HD bool scale_is_fp32() const { return format.scale.bits() == 32; }
  NAPKIN_HD BlockScale scale(std::int64_t block) const { return read_scale(scale_code(block)); }
  NAPKIN_HD std::uint32_t scale_code(std::int64_t block) const {
    if (scale_is_fp32()) return reinterpret_cast<const std::uint32_t*>(scales)[block];
    return static_cast<std::uint32_t>(scales[block]);
  }
  // The code of a block's scale by the bits of max |x|.
  NAPKIN_HD std::uint32_t scale_by(std::uint32_t maximum) const {
    return block_scale(format, std::bit_cast<float>(maximum), of_tensor());
  }
  NAPKIN_HD BlockScale read_scale(std::uint32_t code) const {
    return scale_of(format, code, of_tensor());
  }
  NAPKIN_HD void store_scale(std::int64_t block, std::uint32_t code) const {
    if (scale_is_fp32())
      reinterpret_cast<std::uint32_t*>(scales)[block] = code;
    else
      scales[block] = static_cast<std::byte>(code);
  }
  NAPKIN_HD float of_tensor() const { return tensor_scale == nullptr ? 1 : *tensor_scale; }
};

// Elements of fp32, bf16 or fp16, unbroken.
struct Numbers {
  const std::byte* x;
  DType dtype;
  std::int64_t size;  // bytes of an element

  NAPKIN_HD float at(std::int64_t i) const {
    return read_element<float>(x + i * size, dtype, dtype);
  }
  // Eight from i on, which starts 16 bytes.
  NAPKIN_HD void read_eight(std::int64_t i, float* eight) const {
    visit_computed<float>(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      constexpr int width = packet_bytes / sizeof(T);
      for (int first = 0; first < 8; first += width) {
        const auto packet = *reinterpret_cast<const Packet<T, width>*>(x + (i + first) * size);
        for (int k = 0; k < width; ++k) eight[first + k] = convert<float>(packet.elements[k]);
      }
    });
  }
};

NAPKIN_HD inline std::uint32_t magnitude_bits(float x) {
  return std::bit_cast<std::uint32_t>(x) & 0x7fffffff;
}
NAPKIN_HD inline std::uint32_t larger_of(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }

// Raises *most to `value`; the order of threads does not matter.
NAPKIN_HD inline void raise(std::uint32_t* most, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  atomicMax(most, value);
#else
  *most = larger_of(*most, value);
#endif
}

// The eight elements (or what is left of the row) that a thread has.
struct Run {
  static constexpr std::int64_t length = 8;
  std::int64_t row, first, last;

  NAPKIN_HD static std::int64_t per_row(const Blocks& b) {
    return (b.columns + length - 1) / length;
  }
  NAPKIN_HD Run(const Blocks& b, std::int64_t number) {
    row = number / per_row(b);
    first = number % per_row(b) * length;
    last = first + length < b.columns ? first + length : b.columns;
  }
};

}  // namespace napkin::cuda
