#include "demos/02_floating_point/scales.h"

#include <algorithm>
#include <cmath>

#include "common/core/units.h"
#include "common/lecture/page/table.h"
#include "common/lecture/report.h"
#include "common/numeric/block_formats.h"
#include "common/numeric/format_info.h"
#include "common/tensor/blocks/quantization_error.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/random/random.h"
#include "demos/02_floating_point/numbers.h"

namespace napkin {

using lecture::phrase;
using lecture::translated;

Data normal_data(std::uint64_t seed, std::int64_t count, double size) {
  Generator generator(seed);
  const Tensor x = randn({count}, {}, generator);
  Data data{.values = {x.data<float>(), x.data<float>() + count}, .columns = count};
  for (float& value : data.values) value *= static_cast<float>(size);
  return data;
}

Data data_with_outliers(std::uint64_t seed, std::int64_t count, std::int64_t every,
                        double amplitude) {
  Data data = normal_data(seed, count, 1);
  data.every = every;
  for (std::size_t i = 0; i < data.values.size(); ++i)
    if (!data.is_ordinary(i)) data.values[i] *= static_cast<float>(amplitude);
  return data;
}

void check_factor(std::string_view flag, double factor) {
  check(std::abs(factor) <= 1e37,
        "{} {}: Gaussian values are multiplied by it in FP32, so it is -1e37 to 1e37", flag,
        factor);
}

void check_count(std::int64_t count) {
  constexpr std::int64_t most = 1 << 26;
  check(count >= 1 && count <= most, "--count {}: a number of values is 1 to {}", count, most);
}

void check_data(std::int64_t count, std::int64_t every, double amplitude) {
  check_count(count);
  check(every >= 0, "--every {}: one value in so many is an outlier, 0 for none", every);
  check_factor("--amplitude", amplitude);
}

static Kept compared(const Data& data, const std::vector<float>& read) {
  Kept kept{.error = quantization_error(data.tensor(), from_data(read, data.shape())).relative};
  std::int64_t ordinary = 0, zeros = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!data.is_ordinary(i)) continue;
    ++ordinary;
    if (data.values[i] != 0 && read[i] == 0) ++zeros;
  }
  if (ordinary > 0) kept.zeros = static_cast<double>(zeros) / static_cast<double>(ordinary);
  return kept;
}

InBlocks in_blocks(const Data& data, const BlockFormat& format, std::int64_t block) {
  BlockFormat blocks = format;
  if (block > 0) blocks.size = block;
  const BlockTensor q = quantize(data.tensor().to(lecture::settings().device), blocks);
  InBlocks result{.kept = compared(data, dequantize(q).to(Device::cpu).to_vector<float>())};
  if (q.tensor_scale.defined()) result.tensor_scale = q.tensor_scale.item().to_double();
  result.kept.scales = q.scales.numel();
  result.kept.bits = blocks.size > 0 ? q.bits_per_value() : format.element.bits();
  if (format.scale != formats::fp32)
    result.kept.clipped = quantization_error(data.tensor(), q.to(Device::cpu)).clipped;
  if (data.values.size() > 4096) return result;
  result.codes = q.element_codes().to_vector<std::int64_t>();
  result.scales = q.decoded_scales().to_vector<double>();
  return result;
}

Kept kept_directly(const Data& data, const Format& format) {
  std::vector<float> read;
  for (const float x : data.values)
    read.push_back(static_cast<float>(rounded(format, x, Overflow::to_special)));
  Kept result = compared(data, read);
  result.bits = format.bits();
  return result;
}

static std::string claims_of(const Line& line) {
  std::vector<lecture::CellClaim> cells;
  for (const auto& [id, part] : line.claims) {
    const Kept& k = line.kept;
    if (part == Part::zeros) cells.push_back({id, 100 * k.zeros, "became 0"});
    if (part == Part::error) cells.push_back({id, 100 * k.error, "error"});
    if (part == Part::bits) cells.push_back({id, k.bits, "bits per value"});
  }
  return lecture::cell_claims(cells);
}

void print_kept(const std::vector<Line>& lines) {
  using lecture::Align;
  const bool any = std::ranges::any_of(lines, [](const Line& l) { return !l.claims.empty(); });
  std::vector<lecture::Column> columns = {{"format"},
                                          {"scale"},
                                          {"bits per value", Align::decimal},
                                          {"became 0", Align::decimal},
                                          {"error", Align::decimal},
                                          {"clipped", Align::right}};
  if (any) columns.push_back({"lecture"});
  lecture::Table table(std::move(columns));
  for (const Line& line : lines) {
    std::vector<std::string> cells = {
        line.what,
        line.scale,
        significant(line.kept.bits, 4),
        fmt::format("{:.2f} %", 100 * line.kept.zeros),
        std::isnan(line.kept.error) ? "nan" : fmt::format("{:.2f} %", 100 * line.kept.error),
        line.kept.clipped ? with_commas(*line.kept.clipped) : "-"};
    if (any) cells.push_back(claims_of(line));
    table.row(std::move(cells));
  }
  table.print();
  lecture::cell_claims_below();
}

std::vector<Line> every_format(const Data& data, std::int64_t block) {
  std::vector<Line> lines;
  const auto direct = [&](std::string what, const Format& f) {
    lines.push_back({std::move(what), translated("none"), kept_directly(data, f)});
  };
  const auto scaled = [&](std::string what, const std::string& scale, const BlockFormat& f,
                          std::int64_t size, std::vector<PartClaim> claims = {}) {
    lines.push_back({std::move(what), scale, in_blocks(data, f, size).kept, std::move(claims)});
  };
  const std::string for_all = phrase("FP32, one for all");
  const auto each = [](std::string_view format, std::int64_t size) {
    return phrase("{}, each {}", format, size);
  };
  using namespace block_formats;
  scaled("E2M1", for_all, fp32_scaled(formats::e2m1), 0,
         {{"fp4_tensor_zeros", Part::zeros}, {"fp4_tensor_error", Part::error}});
  scaled("E2M1", each("FP32", block), fp32_scaled(formats::e2m1), block,
         {{"fp4_block_zeros", Part::zeros}, {"fp4_block_error", Part::error}});
  direct("FP16", formats::fp16);
  direct("BF16", formats::bf16);
  direct("E4M3", formats::e4m3fn);
  scaled("E4M3", for_all, fp32_scaled(formats::e4m3fn), 0);
  scaled("E5M2", for_all, fp32_scaled(formats::e5m2), 0);
  for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest})
    scaled("MXFP8 E4M3", each(fmt::format("E8M0 {}", name(rule)), 32), mx(formats::e4m3fn, rule), 0,
           rule == ScaleRule::floor ? std::vector<PartClaim>{{"mxfp8_bits", Part::bits}}
                                    : std::vector<PartClaim>{});
  scaled("MXFP8 E5M2", each("E8M0 floor", 32), mxfp8_e5m2, 0);
  direct("E2M1", formats::e2m1);
  scaled("MXFP4", each("E8M0 floor", 32), mxfp4, 0);
  scaled("E2M1", each("E4M3", 16), {.element = formats::e2m1, .scale = formats::e4m3fn, .size = 16},
         0);
  scaled("NVFP4", each("E4M3 x FP32", 16), nvfp4, 0,
         {{"nvfp4_bits", Part::bits}, {"nvfp4_two_scales_error", Part::error}});
  return lines;
}

}  // namespace napkin
