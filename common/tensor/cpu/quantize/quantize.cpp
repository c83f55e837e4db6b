#include "common/tensor/cpu/quantize/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/core/error.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/convert_loops.h"
#include "common/tensor/cpu/quantize/quantize_loops.h"
#include "common/tensor/cpu/stream.h"
#include "common/tensor/cpu/workspace.h"

namespace napkin::cpu {
namespace {

// The elements of a contiguous tensor, chunk by chunk in fp32.
class Elements {
 public:
  explicit Elements(const Tensor& x)
      : from_(static_cast<const std::byte*>(x.raw_data())), dtype_(x.dtype()) {}

  std::int64_t size() const { return size_of(dtype_); }
  const std::byte* place(std::int64_t first) const { return from_ + first * size(); }
  const float* read(std::int64_t first, std::int64_t count) {
    const std::byte* at = place(first);
    if (dtype_ == DType::fp32) return reinterpret_cast<const float*>(at);
    convert_all(chunk_, DType::fp32, at, dtype_, count);
    return chunk_;
  }

 private:
  const std::byte* from_;
  DType dtype_;
  float chunk_[quantize_chunk];
};

// Where the parts of a block tensor lie, and how its rows fall into parts for the threads.
struct Plan {
  explicit Plan(const BlockTensor& q)
      : format(q.format),
        blocks(joined(q.blocks(), q.format.element.bits())),
        loops(quantize_loops(q.format)),
        codes(q.codes.data<std::uint8_t>()),
        scales(static_cast<std::byte*>(q.scales.raw_data())),
        scale_bytes(size_of(q.scales.dtype())) {}

  // Rows whose blocks follow one another without a gap are one row.
  static Blocks joined(const Blocks& b, int bits) {
    const bool closed = b.columns % b.size == 0 && b.columns * bits % 8 == 0;
    return closed && b.columns > 0 ? Blocks{1, b.rows * b.columns, b.size} : b;
  }

  // Of several whole blocks; or, where blocks are too long for that, a part of one or two.
  bool has_whole_blocks() const { return 2 * blocks.size <= quantize_chunk; }
  std::int64_t part() const {
    return has_whole_blocks() ? quantize_chunk / (2 * blocks.size) * 2 * blocks.size
                              : quantize_chunk;
  }
  std::int64_t parts_per_row() const { return (blocks.columns + part() - 1) / part(); }

  std::byte* scale(std::int64_t row, const Run& at) const {
    return scales + (row * blocks.per_row() + at.first_block()) * scale_bytes;
  }
  std::uint8_t* code(std::int64_t row, const Run& at) const {
    const int bits = format.element.bits();
    return codes + row * blocks.row_bytes(bits) + at.first * bits / 8;
  }

  BlockFormat format;
  Blocks blocks;
  QuantizeLoops loops;
  std::uint8_t* codes;
  std::byte* scales;
  std::int64_t scale_bytes;
};

// Calls work(row, run) for all parts, on several threads; `make` makes a thread's `work`.
template <class Make>
void for_each_piece(const Plan& plan, const Make& make) {
  constexpr std::int64_t grain_elements = 32 << 10;
  const Blocks& b = plan.blocks;
  const std::int64_t per_row = plan.parts_per_row();
  const std::int64_t grain = std::max<std::int64_t>(
      1, grain_elements / std::max<std::int64_t>(std::min(plan.part(), b.columns), 1));
  parallel_for(b.rows * per_row, grain, [&](std::int64_t first, std::int64_t last) {
    auto work = make();
    for (std::int64_t n = first; n < last; ++n) {
      const std::int64_t row = n / per_row, column = n % per_row * plan.part();
      work(row, Run{column, std::min(plan.part(), b.columns - column), b.size});
    }
  });
}

// Larger of two magnitudes; NaN is the largest of all.
float larger(float a, float b) {
  return std::bit_cast<float>(
      std::max(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b)));
}

// max |x| of the whole tensor.
float largest_of_all(const Plan& plan, const Tensor& x) {
  const std::int64_t count = x.numel(), parts = (count + quantize_chunk - 1) / quantize_chunk;
  const Workspace<float> largest(parts);
  parallel_for(parts, 8, [&](std::int64_t first, std::int64_t last) {
    Elements elements(x);
    for (std::int64_t n = first; n < last; ++n) {
      const std::int64_t start = n * quantize_chunk;
      Run at{0, std::min(quantize_chunk, count - start), 32};
      at.next = elements.place(start + at.count);
      at.next_size = elements.size();
      float amax[quantize_chunk / 32];
      plan.loops.maxima(elements.read(start, at.count), at, amax);
      largest[n] = 0;
      for (std::int64_t k = 0; k < at.blocks(); ++k) largest[n] = larger(largest[n], amax[k]);
    }
  });
  float result = 0;
  for (std::int64_t n = 0; n < parts; ++n) result = larger(result, largest[n]);
  return result;
}

void refuse_not_finite(const Tensor& x) {
  Elements elements(x);
  for (std::int64_t start = 0; start < x.numel(); start += quantize_chunk) {
    const std::int64_t count = std::min(quantize_chunk, x.numel() - start);
    const float* values = elements.read(start, count);
    for (std::int64_t i = 0; i < count; ++i)
      check(std::isfinite(values[i]),
            "value {} is {} in fp32: this format has no code for it (MX formats have: a scale of "
            "NaN)",
            start + i, values[i]);
  }
}

// The scales of blocks that are longer than parts.
void find_long_scales(const Plan& plan, const Tensor& x, float of_tensor) {
  const Blocks& b = plan.blocks;
  const std::int64_t parts = (b.size - 1) / quantize_chunk + 1;  // of each block
  const Workspace<float> maxima(b.count() * parts);
  maxima.zero();
  parallel_for(b.count() * parts, 8, [&](std::int64_t first, std::int64_t last) {
    Elements elements(x);
    for (std::int64_t n = first; n < last; ++n) {
      const std::int64_t block = n / parts, start = n % parts * quantize_chunk;
      const std::int64_t count = std::min(quantize_chunk, b.length(block) - start);
      if (count <= 0) continue;
      const std::int64_t place = b.row(block) * b.columns + b.column(block) + start;
      plan.loops.maxima(elements.read(place, count), {0, count, count}, &maxima[n]);
    }
  });
  for (std::int64_t block = 0; block < b.count(); ++block) {
    for (std::int64_t part = 1; part < parts; ++part)
      maxima[block * parts] = larger(maxima[block * parts], maxima[block * parts + part]);
    plan.loops.scales(plan.format, of_tensor, &maxima[block * parts], 1,
                      plan.scales + block * plan.scale_bytes);
  }
}

}  // namespace

void quantize(const BlockTensor& q, const Tensor& x) {
  const Plan plan(q);
  float of_tensor = 1, amax = 0;
  const bool is_known = q.format.scale != formats::e8m0;
  if (is_known) {
    amax = largest_of_all(plan, x);
    if (!std::isfinite(amax)) refuse_not_finite(x);
    of_tensor = tensor_scale(q.format, amax);
  }
  if (q.tensor_scale.defined()) *q.tensor_scale.data<float>() = of_tensor;
  const bool is_long = !plan.has_whole_blocks();
  if (is_long && is_known && plan.blocks.count() == 1)
    plan.loops.scales(plan.format, of_tensor, &amax, 1, plan.scales);
  else if (is_long)
    find_long_scales(plan, x, of_tensor);
  for_each_piece(plan, [&] {
    return [&, elements = Elements(x)](std::int64_t row, Run at) mutable {
      const std::int64_t first = row * plan.blocks.columns + at.first;
      const float* values = elements.read(first, at.count);
      std::byte* scales = plan.scale(row, at);
      float largest[quantize_chunk];
      if (!is_long) {
        plan.loops.maxima(values, at, largest);
        plan.loops.scales(plan.format, of_tensor, largest, at.blocks(), scales);
      }
      at.next = elements.place(first + at.count);
      at.next_size = elements.size();
      plan.loops.encode(plan.format, of_tensor, scales, values, at, plan.code(row, at));
    };
  });
}

void dequantize(const Tensor& result, const BlockTensor& q) {
  const Plan plan(q);
  const float of_tensor = q.tensor_scale.defined() ? *q.tensor_scale.data<float>() : 1;
  const bool streams = result.bytes() >= streaming_bytes;
  const DType dtype = result.dtype();
  auto* to = static_cast<std::byte*>(result.raw_data());
  for_each_piece(plan, [&] {
    return [&](std::int64_t row, const Run& at) {
      alignas(64) float values[quantize_chunk];
      alignas(64) double converted[quantize_chunk];
      std::byte* place = to + (row * plan.blocks.columns + at.first) * size_of(dtype);
      const bool direct = dtype == DType::fp32 && !streams;
      float* numbers = direct ? reinterpret_cast<float*>(place) : values;
      plan.loops.decode(plan.format, of_tensor, plan.scale(row, at), plan.code(row, at), at,
                        numbers);
      if (direct) return;
      if (!streams) return convert_all(place, dtype, values, DType::fp32, at.count);
      const void* from = values;
      if (dtype != DType::fp32) convert_all(converted, dtype, values, DType::fp32, at.count);
      if (dtype != DType::fp32) from = converted;
      stream(place, from, at.count * size_of(dtype));
      stream_fence();
    };
  });
}

}  // namespace napkin::cpu
