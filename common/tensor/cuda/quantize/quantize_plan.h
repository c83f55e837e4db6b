// Which kernels make a block tensor and read it; the engine starts them (engine.cuh, or the
// host's).
#pragma once
#include "common/tensor/block_tensor.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/quantize/quantize_kernels.h"

namespace napkin::cuda {

inline bool starts_packet(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) % packet_bytes == 0;
}

inline BlockParts parts_of(const BlockTensor& q) {
  const Blocks b = q.blocks();
  const bool closed = b.columns % b.size == 0 && b.columns * q.format.element.bits() % 8 == 0;
  return {
      q.format, closed && b.columns > 0 ? Blocks{1, b.rows * b.columns, b.size} : b,
      static_cast<std::uint8_t*>(q.codes.raw_data()), static_cast<std::byte*>(q.scales.raw_data()),
      q.tensor_scale.defined() ? static_cast<const float*>(q.tensor_scale.raw_data()) : nullptr};
}

// Whole blocks of a size that one kernel reads, scales and writes.
inline bool is_one_kernel(const BlockParts& parts, const Numbers& numbers) {
  const Blocks& b = parts.blocks;
  const bool whole = b.columns % b.size == 0 && !parts.scale_is_fp32();
  const bool aligned = starts_packet(numbers.x) && starts_packet(parts.codes);
  const bool small = parts.format.element.bits() == 4;
  return whole && aligned && b.rows == 1 && (b.size == 32 || (small && b.size == 16));
}

template <class Engine>
void encode_blocks(const Engine& engine, const BlockParts& parts, const Numbers& numbers) {
  const auto start = [&](const auto& kernel) { engine.launch(kernel, kernel.grid()); };
  if (parts.format.element == formats::e5m2) return start(EncodeEightBits<true>{parts, numbers});
  if (parts.format.element == formats::e4m3fn) return start(EncodeEightBits<false>{parts, numbers});
  if (parts.blocks.size == 16) return start(EncodeFourBits<16>{parts, numbers});
  start(EncodeFourBits<32>{parts, numbers});
}

// Without elements the scale of the tensor is still there: 1.
template <class Engine>
void quantize_with(const Engine& engine, const BlockTensor& q, const Tensor& given,
                   gpu::FaultReporter faults) {
  const Tensor x = given.dtype() == DType::fp64 ? given.to(DType::fp32) : given;
  const BlockParts parts = parts_of(q);
  const Numbers numbers{static_cast<const std::byte*>(x.raw_data()), x.dtype(), size_of(x.dtype())};
  const auto start = [&](const auto& kernel) { engine.launch(kernel, kernel.grid()); };
  const auto room = [&](std::int64_t count) {
    return empty({count}, {DType::fp32, x.device(), Category::temporary});
  };
  // Infinity and NaN are found on the way to the tensor's maximum.
  Tensor maximum = q.tensor_scale;
  const bool is_whole_tensor = parts.blocks.count() == 1 && parts.scale_is_fp32();
  if (q.format.scale != formats::e8m0) {
    if (!maximum.defined()) maximum = is_whole_tensor ? q.scales : room(1);
    auto* bits = static_cast<std::uint32_t*>(maximum.raw_data());
    engine.fill_bytes(bits, 0, sizeof(float));
    start(TensorMaximum{numbers, x.numel(), starts_packet(numbers.x), bits, faults});
  }
  if (q.tensor_scale.defined())
    engine.launch(TensorScale{q.format, static_cast<float*>(q.tensor_scale.raw_data())}, {1, 1});
  if (x.numel() == 0) return;
  if (is_one_kernel(parts, numbers)) return encode_blocks(engine, parts, numbers);
  const Tensor maxima = parts.scale_is_fp32() ? q.scales : room(parts.blocks.count());
  auto* bits = static_cast<std::uint32_t*>(maxima.raw_data());
  if (!is_whole_tensor) {
    engine.fill_bytes(bits, 0, maxima.bytes());
    start(BlockMaxima{numbers, parts.blocks, bits});
  }
  start(BlockScales{parts, bits});
  start(EncodeAny{parts, numbers});
}

template <class Engine>
void dequantize_with(const Engine& engine, const Tensor& result, const BlockTensor& q) {
  const BlockParts parts = parts_of(q);
  auto* to = static_cast<std::byte*>(result.raw_data());
  const bool packets = result.dtype() != DType::fp64 && parts.blocks.columns % 8 == 0;
  const Decode kernel{parts, to, result.dtype(), size_of(result.dtype()),
                      packets && starts_packet(to)};
  engine.launch(kernel, kernel.grid());
}

}  // namespace napkin::cuda
