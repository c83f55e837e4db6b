// The kernels of block tensors, as structs that GPU and host run (gpu/launch.h). Rows whose blocks
// follow one another without a gap count as one row. The bytes are those of the CPU.
#pragma once
#include "common/gpu/fault.h"
#include "common/gpu/launch.h"
#include "common/numeric/blocks.h"
#include "common/tensor/cuda/quantize/block_parts.h"

namespace napkin::cuda {

// max |x| of all elements, as bits, into a number that was 0.
struct TensorMaximum {
  static constexpr int threads = 256, runs = 4;
  struct Shared {
    std::uint32_t maxima[threads];
  };

  Numbers numbers;
  std::int64_t count;
  bool packets;
  std::uint32_t* maximum;
  gpu::FaultReporter faults;

  gpu::Grid grid() const { return gpu::grid_for((count + 7) / 8, runs, threads); }
  NAPKIN_HD int phases() const { return 3; }
  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    if (phase == 0) {
      shared.maxima[at.index] = own(at);
      return;
    }
    const int apart = phase == 1 ? 16 : 1, stop = phase == 1 ? threads : 16;
    if (at.index >= apart) return;
    std::uint32_t most = shared.maxima[at.index];
    for (int i = at.index + apart; i < stop; i += apart) most = larger_of(most, shared.maxima[i]);
    shared.maxima[at.index] = most;
    if (phase == 2) raise(maximum, most);
  }

 private:
  NAPKIN_HD std::uint32_t own(const gpu::Thread& at) const {
    std::uint32_t most = 0;
    for (int run = 0; run < runs; ++run) {
      const std::int64_t first = ((at.block * runs + run) * threads + at.index) * 8;
      float eight[8] = {};
      if (packets && first + 8 <= count)
        numbers.read_eight(first, eight);
      else
        for (int k = 0; k < 8; ++k)
          if (first + k < count) eight[k] = numbers.at(first + k);
      for (int k = 0; k < 8; ++k) {
        most = larger_of(most, magnitude_bits(eight[k]));
        if (magnitude_bits(eight[k]) >= 0x7f800000) faults.report_not_finite(first + k);
      }
    }
    return most;
  }
};

// From max |x| of the tensor, in place.
struct TensorScale {
  BlockFormat format;
  float* scale;
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() == 0) *scale = tensor_scale(format, *scale);
  }
};

// max |x| of every block, as bits, into numbers that were 0.
struct BlockMaxima {
  Numbers numbers;
  Blocks blocks;
  std::uint32_t* maxima;

  gpu::Grid grid() const { return gpu::grid_for(blocks.rows * Run::per_row(blocks)); }
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const Run run(blocks, at.number());
    if (run.row >= blocks.rows) return;
    std::uint32_t most = 0;
    for (std::int64_t i = run.first; i < run.last; ++i) {
      most = larger_of(most, magnitude_bits(numbers.at(run.row * blocks.columns + i)));
      if ((i + 1) % blocks.size != 0 && i + 1 != run.last) continue;
      raise(maxima + run.row * blocks.per_row() + i / blocks.size, most);
      most = 0;
    }
  }
};

// The scales from the maxima, which may be the same memory.
struct BlockScales {
  BlockParts parts;
  const std::uint32_t* maxima;

  gpu::Grid grid() const { return gpu::grid_for(parts.blocks.count()); }
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t block = at.number();
    if (block < parts.blocks.count()) parts.store_scale(block, parts.scale_by(maxima[block]));
  }
};

// Codes by scales that are there: any format, any blocks.
struct EncodeAny {
  BlockParts parts;
  Numbers numbers;

  gpu::Grid grid() const { return gpu::grid_for(parts.blocks.rows * Run::per_row(parts.blocks)); }
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const Blocks& b = parts.blocks;
    const Run run(b, at.number());
    if (run.row >= b.rows) return;
    const int bits = parts.format.element.bits();
    std::uint8_t* codes = parts.codes + run.row * b.row_bytes(bits) + run.first * bits / 8;
    for (std::int64_t i = run.first; i < run.last; ++i) {
      const BlockScale scale = parts.scale(run.row * b.per_row() + i / b.size);
      const float x = numbers.at(run.row * b.columns + i);
      const std::uint32_t code = napkin::quantize(parts.format, x, scale);
      const std::int64_t k = i - run.first;
      if (bits == 8)
        codes[k] = static_cast<std::uint8_t>(code);
      else
        codes[k / 2] = k % 2 == 0 ? packed(code, 0) : packed(codes[k / 2], code);
    }
  }
};

// e2m1 codes of whole blocks, one thread for each: 32 or 64 bytes are read at a time.
template <int size>
struct EncodeFourBits {
  BlockParts parts;
  Numbers numbers;

  gpu::Grid grid() const { return gpu::grid_for(parts.blocks.count()); }
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t block = at.number();
    if (block >= parts.blocks.count()) return;
    float x[size];
    for (int k = 0; k < size; k += 8) numbers.read_eight(block * size + k, x + k);
    std::uint32_t most = 0;
    for (int k = 0; k < size; ++k) most = larger_of(most, magnitude_bits(x[k]));
    const std::uint32_t code = parts.scale_by(most);
    parts.store_scale(block, code);
    const BlockScale s = parts.read_scale(code);
    Packet<std::uint32_t, size / 8> words{};
    if (s.scale == s.scale)
      for (int k = 0; k < size; ++k)
        words.elements[k / 8] |= std::uint32_t{code_under(x[k], s)} << (k % 8 * 4);
    *reinterpret_cast<Packet<std::uint32_t, size / 8>*>(parts.codes + block * (size / 2)) = words;
  }

 private:
  NAPKIN_HD static std::uint8_t code_under(float x, const BlockScale& s) {
    return encode<formats::e2m1>(x * s.lift * s.inverse, Overflow::saturate);
  }
};

// 8-bit codes of whole blocks of 32: four neighbouring threads share a block.
template <bool is_e5m2>
struct EncodeEightBits {
  static constexpr int threads = 256, sharing = 4;
  struct Shared {
    Packet<float, 4> x[2][threads];
    std::uint32_t maxima[threads];
  };

  BlockParts parts;
  Numbers numbers;

  gpu::Grid grid() const { return gpu::grid_for(parts.blocks.count() * sharing, 1, threads); }
  NAPKIN_HD int phases() const { return 2; }
  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    const std::int64_t block = at.number() / sharing;
    if (block >= parts.blocks.count()) return;
    float x[8];
    if (phase == 0) {
      numbers.read_eight(at.number() * 8, x);
      std::uint32_t most = 0;
      for (int k = 0; k < 8; ++k) {
        most = larger_of(most, magnitude_bits(x[k]));
        shared.x[k / 4][at.index].elements[k % 4] = x[k];
      }
      shared.maxima[at.index] = most;
      return;
    }
    const int first = at.index / sharing * sharing;
    std::uint32_t most = 0;
    for (int k = 0; k < sharing; ++k) most = larger_of(most, shared.maxima[first + k]);
    const std::uint32_t code = parts.scale_by(most);
    if (at.index == first) parts.store_scale(block, code);
    const BlockScale s = parts.read_scale(code);
    Packet<std::uint8_t, 8> codes{};
    if (s.scale == s.scale)
      for (int k = 0; k < 8; ++k)
        codes.elements[k] = code_under(shared.x[k / 4][at.index].elements[k % 4], s);
    *reinterpret_cast<Packet<std::uint8_t, 8>*>(parts.codes + at.number() * 8) = codes;
  }

 private:
  NAPKIN_HD static std::uint8_t code_under(float x, const BlockScale& s) {
    const float scaled = x * s.lift * s.inverse;
    if constexpr (is_e5m2) return encode<formats::e5m2>(scaled, Overflow::saturate);
    return encode<formats::e4m3fn>(scaled, Overflow::saturate);
  }
};

// Numbers from codes, eight for each thread; into any floating dtype.
struct Decode {
  BlockParts parts;
  std::byte* to;
  DType dtype;
  std::int64_t size;  // bytes of an element
  bool packets;       // eight elements start 16 bytes, everywhere

  gpu::Grid grid() const { return gpu::grid_for(parts.blocks.rows * Run::per_row(parts.blocks)); }
  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const Blocks& b = parts.blocks;
    const Run run(b, at.number());
    if (run.row >= b.rows) return;
    const int bits = parts.format.element.bits();
    const std::uint8_t* codes = parts.codes + run.row * b.row_bytes(bits) + run.first * bits / 8;
    const int count = static_cast<int>(run.last - run.first);
    std::int64_t block = -1;
    float scale = 0, eight[8] = {};
    for (int k = 0; k < count; ++k) {
      const std::int64_t own = run.row * b.per_row() + (run.first + k) / b.size;
      if (own != block) scale = parts.scale(own).scale;
      block = own;
      eight[k] = dequantize(parts.format, packed_code(codes, k, bits), scale);
    }
    write(run.row * b.columns + run.first, count, eight);
  }

 private:
  NAPKIN_HD void write(std::int64_t first, int count, const float* eight) const {
    if (!packets || count < 8) {
      for (int k = 0; k < count; ++k) write_element(to + (first + k) * size, dtype, eight[k]);
      return;
    }
    visit_computed<float>(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      constexpr int width = packet_bytes / sizeof(T);
      for (int start = 0; start < 8; start += width) {
        Packet<T, width> packet;
        for (int k = 0; k < width; ++k) packet.elements[k] = convert<T>(eight[start + k]);
        *reinterpret_cast<Packet<T, width>*>(to + (first + start) * size) = packet;
      }
    });
  }
};

}  // namespace napkin::cuda
