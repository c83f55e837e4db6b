#include "common/numeric/quantise.h"

#include <cmath>

#include "common/core/error.h"
#include "common/numeric/format_info.h"

namespace napkin {
namespace {

bool exists(const BlockFormat& f) {
  const bool element = is_narrow(f.element) && (f.element.bits() == 4 || f.element.bits() == 8);
  const bool scale =
      f.scale == formats::e8m0 || f.scale == formats::fp32 || f.scale == formats::e4m3fn;
  return element && scale;
}

void store(std::uint8_t* row, std::int64_t index, int bits, std::uint32_t code) {
  if (bits == 8)
    row[index] = static_cast<std::uint8_t>(code);
  else if (index % 2 == 0)
    row[index / 2] = packed(code, 0);
  else
    row[index / 2] = packed(row[index / 2], code);
}

// The part of a matrix that a block is.
struct Part {
  std::int64_t block, row, first, last;  // columns; last is one past the end
};

template <class Visit>
void for_each_block(const Blocks& b, Visit visit) {
  for (std::int64_t block = 0; block < b.count(); ++block)
    visit(Part{block, b.row(block), b.column(block), b.column(block) + b.length(block)});
}

void check_sizes(std::int64_t count, const Blocks& b) {
  const bool fits =
      b.columns == 0 ? count == 0 : b.rows == count / b.columns && count % b.columns == 0;
  check(fits && b.rows >= 0 && b.columns >= 0 && b.size > 0, "{} values as {} x {} in blocks of {}",
        count, b.rows, b.columns, b.size);
}

}  // namespace

std::string_view name(ScaleRule rule) {
  if (rule == ScaleRule::floor) return "floor";
  return rule == ScaleRule::up ? "up" : "nearest";
}

double Quantised::bits_per_value() const {
  const auto count = static_cast<double>(blocks.rows * blocks.columns);
  const double scale_bits = format.scale.bits() * static_cast<double>(scales.size());
  return (8 * static_cast<double>(codes.size()) + scale_bits) / count;
}

BlockScale Quantised::scale(std::int64_t block) const {
  return scale_of(format, scales[static_cast<std::size_t>(block)], tensor_scale);
}

void check_finite(std::span<const float> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    check(std::isfinite(values[i]),
          "value {} is {}: this format has no code for it (MX formats have: a scale of NaN)", i,
          values[i]);
}

Quantised quantise(const BlockFormat& format, std::span<const float> values, std::int64_t rows,
                   std::int64_t columns) {
  check(format.size > 0, "a block format without a block size: name the blocks");
  return quantise(format, values, blocks_of(rows, columns, format.size));
}

Quantised quantise(const BlockFormat& f, std::span<const float> values, const Blocks& blocks) {
  const auto count = static_cast<std::int64_t>(values.size());
  check(exists(f), "blocks of {} with a scale of {}: elements have 4 or 8 bits, scales are {}",
        name(f.element), name(f.scale), "e8m0, e4m3fn or fp32");
  check_sizes(count, blocks);
  if (f.scale != formats::e8m0) check_finite(values);
  const int bits = f.element.bits();
  Quantised q{.format = f, .blocks = blocks, .codes = {}, .scales = {}};
  q.tensor_scale = tensor_scale(f, largest_magnitude(values.data(), count));
  q.codes.resize(static_cast<std::size_t>(blocks.rows * blocks.row_bytes(bits)));
  for_each_block(blocks, [&](const Part& part) {
    const float* row = values.data() + part.row * blocks.columns;
    const float amax = largest_magnitude(row + part.first, part.last - part.first);
    q.scales.push_back(block_scale(f, amax, q.tensor_scale));
    const BlockScale scale = q.scale(part.block);
    std::uint8_t* codes = q.codes.data() + part.row * blocks.row_bytes(bits);
    for (std::int64_t i = part.first; i < part.last; ++i)
      store(codes, i, bits, quantise(f, row[i], scale));
  });
  return q;
}

std::vector<float> dequantise(const Quantised& q) {
  std::vector<float> values(static_cast<std::size_t>(q.blocks.rows * q.blocks.columns));
  const int bits = q.format.element.bits();
  for_each_block(q.blocks, [&](const Part& part) {
    const float scale = q.scale(part.block).scale;
    const std::uint8_t* codes = q.codes.data() + part.row * q.blocks.row_bytes(bits);
    float* row = values.data() + part.row * q.blocks.columns;
    for (std::int64_t i = part.first; i < part.last; ++i)
      row[i] = dequantise(q.format, packed_code(codes, i, bits), scale);
  });
  return values;
}

QuantisationError quantisation_error(std::span<const float> values, std::span<const float> read) {
  check_equal(static_cast<long long>(values.size()), static_cast<long long>(read.size()),
              "values before and after quantising");
  QuantisationError result{.count = static_cast<std::int64_t>(values.size())};
  double error = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i], difference = std::abs(read[i] - value);
    error += difference * difference;
    total += value * value;
    if (value != 0 && read[i] == 0) ++result.zeros;
    const bool worse = difference > result.worst_error || std::isnan(difference);
    if (worse && !std::isnan(result.worst_error)) {
      result.worst = static_cast<std::int64_t>(i);
      result.worst_error = difference;
    }
  }
  result.relative = error == 0 ? 0 : std::sqrt(error / total);
  return result;
}

QuantisationError quantisation_error(std::span<const float> values, const Quantised& q) {
  QuantisationError result = quantisation_error(values, dequantise(q));
  const double limit = largest(q.format.element);
  for_each_block(q.blocks, [&](const Part& part) {
    const double scale = q.scale(part.block).scale;
    const float* row = values.data() + part.row * q.blocks.columns;
    for (std::int64_t i = part.first; i < part.last; ++i)
      if (scale > 0 && std::abs(row[i]) > limit * scale) ++result.clipped;
  });
  return result;
}

}  // namespace napkin
