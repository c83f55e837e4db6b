// What scales do for FP8 and FP4 (lecture 3.6): data with outliers, and what each format keeps.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/numeric/blocks.h"
#include "common/tensor/create.h"

namespace napkin {

// Numbers row by row. Every `every`-th of the data is an outlier (0: none is).
struct Data {
  std::vector<float> values;
  std::int64_t rows = 1, columns = 0;
  std::int64_t every = 0;

  Shape shape() const { return {rows, columns}; }
  Tensor tensor() const { return from_data(values, shape()); }
  bool is_ordinary(std::size_t i) const {
    return every == 0 || i % static_cast<std::size_t>(every) != 0;
  }
};

// randn(count) times `size`, in one row.
Data normal_data(std::uint64_t seed, std::int64_t count, double size);
// randn(count), of which every `every`-th value is multiplied by `amplitude`.
Data data_with_outliers(std::uint64_t seed, std::int64_t count, std::int64_t every,
                        double amplitude);
// Refuses, naming the flag, what takes a Gaussian value out of FP32.
void check_factor(std::string_view flag, double factor);
// Refuses, naming the flag, what is no number of values, step or factor.
void check_count(std::int64_t count);
void check_data(std::int64_t count, std::int64_t every, double amplitude);

// What became of the data.
struct Kept {
  double zeros = 0;         // share of the ordinary values that became 0
  double error = 0;         // norm(read - x) / norm(x), of all values
  double bits = 0;          // per value, with scales; a tensor's one scale is not counted
  std::int64_t scales = 0;  // how many
  // Values beyond the largest number of their block. None where scales are FP32, but for rounding.
  std::optional<std::int64_t> clipped = {};
};

struct InBlocks {
  Kept kept;
  // Up to 4096 values: a code for each, the numbers behind the blocks' scales, and the tensor's.
  std::vector<std::int64_t> codes = {};
  std::vector<double> scales = {};
  double tensor_scale = 1;
};
// Blocks of so many values; 0: as many as the format says, or one scale for all of the data.
// Refuses infinity and NaN where the format has no place for them, with the position. Quantized
// where --device says, compared on the CPU.
InBlocks in_blocks(const Data& data, const BlockFormat& format, std::int64_t block);

// Without any scale.
Kept kept_directly(const Data& data, const Format& format);

// Which number of a line a claim is about.
enum class Part { zeros, error, bits };
struct PartClaim {
  std::string id;
  Part part;
};
// A line of a table: how the data is kept, what came out, and what the lecture says of it.
struct Line {
  std::string what, scale;
  Kept kept;
  std::vector<PartClaim> claims = {};
};
void print_kept(const std::vector<Line>& lines);

// The same data in the formats of the lecture, FP4 with one scale and with blocks, then in all
// others from FP16 to NVFP4.
std::vector<Line> every_format(const Data& data, std::int64_t block);

}  // namespace napkin
