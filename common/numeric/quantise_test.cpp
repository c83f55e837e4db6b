#include "common/numeric/quantise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "common/core/error.h"
#include "common/io/safetensors.h"
#include "common/numeric/format_info.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e2m1, formats::e4m3fn, formats::e5m2, formats::e8m0;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr BlockFormat e4m3_scale_alone{.element = e2m1, .scale = e4m3fn, .size = 16};

// Element codes one by one, without the packing.
std::vector<std::uint32_t> element_codes(const Quantised& q) {
  std::vector<std::uint32_t> result;
  const int bits = q.format.element.bits();
  for (std::int64_t row = 0; row < q.blocks.rows; ++row)
    for (std::int64_t i = 0; i < q.blocks.columns; ++i)
      result.push_back(packed_code(q.codes.data() + row * q.blocks.row_bytes(bits), i, bits));
  return result;
}

void expect_bits(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want[i])) << i;
}

std::vector<std::uint32_t> whole_numbers(const io::StoredTensor& tensor) {
  std::vector<std::uint32_t> result;
  if (tensor.type == "U8") {
    for (const std::uint8_t code : io::values<std::uint8_t>(tensor)) result.push_back(code);
  } else {  // U32, which no dtype of ours holds
    result.resize(tensor.data.size() / 4);
    std::memcpy(result.data(), tensor.data.data(), tensor.data.size());
  }
  return result;
}

void expect_as_recorded(const io::SafetensorsFile& file, const std::string& what,
                        const Quantised& q) {
  SCOPED_TRACE(what);
  EXPECT_EQ(q.scales, whole_numbers(file[what + ".scales"]));
  EXPECT_EQ(element_codes(q), whole_numbers(file[what + ".codes"]));
  expect_bits(dequantise(q), io::values<float>(file[what + ".read"]));
  expect_bits({q.tensor_scale}, io::values<float>(file[what + ".tensor"]));
}

struct Named {
  std::string name;
  BlockFormat format;
};

std::vector<Named> recorded_formats() {
  std::vector<Named> all = {{"nvfp4", nvfp4}, {"e2m1 e4m3fn", e4m3_scale_alone}};
  for (const ScaleRule rule : {ScaleRule::floor, ScaleRule::up, ScaleRule::nearest}) {
    const std::string text(name(rule));
    all.push_back({"mxfp8 " + text, mx(e4m3fn, rule)});
    all.push_back({"mxfp8_e5m2 " + text, mx(e5m2, rule)});
    all.push_back({"mxfp4 " + text, mx(e2m1, rule)});
  }
  return all;
}

// Partial last blocks, zeros, outliers, ties, numbers near both ends of FP32; one column; tiny
// tensors. reference/formats.py works them out from the definitions.
TEST(Quantise, EveryScaleEveryCodeAndEveryNumberReadAsRecorded) {
  const io::SafetensorsFile file(NAPKIN_SOURCE "/reference/golden/blocks.safetensors");
  for (const std::string which : {"", " tiny", " one", " plain"}) {
    const auto& input = file["input" + which];
    const auto x = io::values<float>(input);
    const std::int64_t rows = input.shape[0], columns = input.shape[1];
    for (const Named& f : recorded_formats())
      expect_as_recorded(file, f.name + which, quantise(f.format, x, rows, columns));
    const auto scaled = [&](const Format& f, const Blocks& blocks) {
      return quantise(fp32_scaled(f), x, blocks);
    };
    const auto by_16 = blocks_of(rows, columns, 16), by_row = one_for_each_row(rows, columns);
    expect_as_recorded(file, "e4m3fn block" + which, scaled(e4m3fn, by_16));
    expect_as_recorded(file, "e2m1 block" + which, scaled(e2m1, by_16));
    expect_as_recorded(file, "e4m3fn row" + which, scaled(e4m3fn, by_row));
    expect_as_recorded(file, "e5m2 row" + which, scaled(e5m2, by_row));
  }
  const auto x = io::values<float>(file["input"]);
  expect_as_recorded(file, "e4m3fn tensor", quantise(fp32_scaled(e4m3fn), x, one_for_all(5, 75)));
  expect_as_recorded(file, "e2m1 tensor", quantise(fp32_scaled(e2m1), x, one_for_all(5, 75)));
}

// 1 / 1e-38 448 is infinite in FP32.
TEST(Quantise, VerySmallBlocksStayFinite) {
  const std::vector<float> x = {2.8094e-36f, -1e-37f, 5e-38f};
  const Quantised q = quantise(mxfp8, x, 1, 3);
  EXPECT_EQ(q.scales, std::vector<std::uint32_t>{0});
  const double want[] = {448, -18, 9}, read[] = {2.6331e-36, -1.0579e-37, 5.2897e-38};
  const auto got = dequantise(q);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(decode(e4m3fn, q.codes[i]), want[i]);
    EXPECT_LE(std::abs(got[i] - read[i]), 1e-4 * std::abs(read[i]));
  }
  for (const float amax : {1e-38f, 1e-40f, 1e-44f, 1.4e-45f})
    for (const BlockFormat& f : {fp32_scaled(e4m3fn), fp32_scaled(e2m1), mxfp8, mxfp4, nvfp4}) {
      const std::vector<float> tiny = {amax, -amax, 0.5f * amax, 0};
      const auto back = dequantise(quantise(f, tiny, blocks_of(1, 4, 16)));
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LE(std::abs(back[i]), 2 * amax) << name(f.element) << " " << amax;
      if (f.scale == formats::fp32) {
        EXPECT_GT(back[0], 0.5f * amax) << name(f.element);
      }
    }
}

// amax 957 and 632: what each rule does to the largest number of a block.
TEST(Quantise, TheScaleRuleDecidesWhatHappensToTheLargestNumber) {
  struct Case {
    float amax;
    ScaleRule rule;
    double scale, read;
  };
  for (const Case& c : {Case{957, ScaleRule::floor, 2, 896}, Case{957, ScaleRule::up, 4, 960},
                        Case{957, ScaleRule::nearest, 2, 896}, Case{632, ScaleRule::floor, 2, 640},
                        Case{632, ScaleRule::up, 2, 640}, Case{632, ScaleRule::nearest, 1, 448}}) {
    const std::vector<float> x = {1, c.amax, -3};
    const Quantised q = quantise(mx(e4m3fn, c.rule), x, 1, 3);
    EXPECT_EQ(decode(e8m0, q.scales[0]), c.scale) << c.amax;
    EXPECT_EQ(dequantise(q)[1], c.read) << c.amax;
    EXPECT_EQ(quantisation_error(x, q).clipped, c.read < c.amax && c.read != 960 ? 1 : 0);
  }
}

TEST(Quantise, BlocksDoNotRunAcrossRows) {
  std::vector<float> x(40, 0.01f);
  x[23] = 96;  // row 1, column 3
  const BlockFormat f{.element = e2m1, .scale = e8m0, .size = 16};
  const Quantised q = quantise(f, x, 2, 20);
  EXPECT_EQ(q.scales.size(), 4u);
  EXPECT_EQ(q.codes.size(), 20u);
  const auto read = dequantise(q);
  for (std::size_t i = 16; i < 20; ++i) EXPECT_EQ(read[i], 0.01171875f);
  EXPECT_EQ(read[23], 96);
  EXPECT_EQ(read[20], 0);
  EXPECT_EQ(read[36], 0.01171875f);
}

TEST(Quantise, TwoCodesShareAByteAndARowStartsOne) {
  const std::vector<float> x = {0.5f, -1, 6, 2, 3, -6};
  const Quantised q = quantise(fp32_scaled(e2m1), x, blocks_of(2, 3, 3));
  EXPECT_EQ(q.codes, (std::vector<std::uint8_t>{0xa1, 0x07, 0x54, 0x0f}));
  EXPECT_EQ(dequantise(q), x);
}

TEST(Quantise, BlocksOfZeros) {
  std::vector<float> x(32, 0.0f);
  x[20] = 3;
  x[5] = -0.0f;
  const Quantised q = quantise(nvfp4, x, 1, 32);
  EXPECT_EQ(q.scales[0], 0u);
  EXPECT_EQ(q.scales[1], 0x7eu);
  const auto read = dequantise(q);
  for (std::size_t i = 0; i < 32; ++i)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(read[i]), std::bit_cast<std::uint32_t>(x[i]));
  const std::vector<float> zeros(33, 0.0f);
  for (const BlockFormat& f : {mxfp8, mx(e4m3fn, ScaleRule::up), mxfp4, nvfp4}) {
    const Quantised all = quantise(f, zeros, 1, 33);
    for (const std::uint32_t scale : all.scales) EXPECT_EQ(scale, 0u);
    EXPECT_EQ(dequantise(all), zeros);
    EXPECT_EQ(quantisation_error(zeros, all).relative, 0);
  }
  EXPECT_EQ(quantise(nvfp4, zeros, 1, 33).tensor_scale, 1);
  const Quantised plain = quantise(fp32_scaled(e4m3fn), zeros, one_for_all(1, 33));
  EXPECT_EQ(plain.scales[0], std::bit_cast<std::uint32_t>(1.0f));
}

// A block far below the tensor's largest number: its e4m3fn scale rounds to 0.
TEST(Quantise, ANvfp4BlockThatIsTooSmallIsLost) {
  std::vector<float> x(48, 6.0f);
  for (std::size_t i = 16; i < 32; ++i) x[i] = 6.0f * 448 / 1e9f;
  const Quantised q = quantise(nvfp4, x, 1, 48);
  EXPECT_EQ(q.scales, (std::vector<std::uint32_t>{0x7e, 0, 0x7e}));
  const QuantisationError error = quantisation_error(x, q);
  EXPECT_EQ(error.zeros, 16);
  EXPECT_EQ(error.clipped, 0);
  EXPECT_EQ(error.worst, 16);
}

TEST(Quantise, AnInfinityOrNanMakesItsMxBlockNan) {
  for (const float bad : {infinity, -infinity, NAN, -NAN})
    for (const BlockFormat& f : {mxfp8, mxfp8_e5m2, mxfp4, mx(e2m1, ScaleRule::up)}) {
      std::vector<float> x(70, 1.0f);
      x[40] = bad;
      const Quantised q = quantise(f, x, 1, 70);
      EXPECT_EQ(q.scales[1], 255u);
      const auto read = dequantise(q);
      const auto codes = element_codes(q);
      for (std::size_t i = 0; i < 70; ++i) {
        EXPECT_EQ(std::isnan(read[i]), i >= 32 && i < 64) << i;
        if (i >= 32 && i < 64) {
          EXPECT_EQ(codes[i], 0u) << i;
        }
      }
      const QuantisationError error = quantisation_error(x, q);
      EXPECT_TRUE(std::isnan(error.relative) && std::isnan(error.worst_error));
      EXPECT_EQ(error.worst, 32);
    }
}

std::string refusal(const BlockFormat& f, std::vector<float> x, const Blocks& blocks) {
  try {
    quantise(f, x, blocks);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Quantise, WhatHasNoPlaceIsRefused) {
  std::vector<float> x(40, 1.0f);
  x[37] = infinity;
  x[39] = NAN;
  const std::string reason =
      "value 37 is inf: this format has no code for it (MX formats have: a scale of NaN)";
  EXPECT_EQ(refusal(nvfp4, x, blocks_of(1, 40, 16)), reason);
  EXPECT_EQ(refusal(fp32_scaled(e5m2), x, one_for_all(1, 40)), reason);
  EXPECT_EQ(refusal(mxfp8, x, blocks_of(3, 13, 32)), "40 values as 3 x 13 in blocks of 32");
  EXPECT_EQ(refusal(mxfp8, x, blocks_of(1, 40, 0)), "40 values as 1 x 40 in blocks of 0");
  EXPECT_EQ(quantise(mxfp8, x, blocks_of(1, 40, INT64_MAX)).scales.size(), 1u);
  EXPECT_EQ(refusal(mxfp8, x, blocks_of(-1, -40, 32)), "40 values as -1 x -40 in blocks of 32");
  EXPECT_EQ(refusal(mx(formats::bf16), x, blocks_of(1, 40, 32)),
            "blocks of bf16 with a scale of e8m0: elements have 4 or 8 bits, scales are e8m0, "
            "e4m3fn or fp32");
  EXPECT_EQ(refusal({.element = e2m1, .scale = e5m2}, x, blocks_of(1, 40, 32)),
            "blocks of e2m1 with a scale of e5m2: elements have 4 or 8 bits, scales are e8m0, "
            "e4m3fn or fp32");
  EXPECT_THROW(quantise(fp32_scaled(e2m1), x, 1, 40), Error);
}

TEST(Quantise, EmptyMatrices) {
  for (const auto& [rows, columns] : {std::pair{0, 5}, std::pair{5, 0}, std::pair{0, 0}})
    for (const BlockFormat& f : {mxfp8, nvfp4}) {
      const Quantised q = quantise(f, {}, rows, columns);
      EXPECT_TRUE(q.codes.empty() && q.scales.empty() && dequantise(q).empty());
      EXPECT_EQ(quantisation_error({}, q).count, 0);
    }
  EXPECT_TRUE(quantise(fp32_scaled(e4m3fn), {}, one_for_all(3, 0)).scales.empty());
  EXPECT_TRUE(quantise(fp32_scaled(e4m3fn), {}, one_for_each_row(3, 0)).scales.empty());
}

// Lecture 3.6: a scale costs 8 bits for 32 values in MXFP8, for 16 in NVFP4.
TEST(Quantise, BitsForAValue) {
  const std::vector<float> x(4096, 1.0f);
  EXPECT_EQ(quantise(mxfp8, x, 64, 64).bits_per_value(), 8.25);
  EXPECT_EQ(quantise(mxfp8, x, 64, 64).scales.size(), 128u);
  EXPECT_EQ(quantise(nvfp4, x, 64, 64).bits_per_value(), 4.5);
  EXPECT_EQ(quantise(nvfp4, x, 64, 64).scales.size(), 256u);
}

TEST(QuantisationError, CountsWhatBecameOfTheValues) {
  const std::vector<float> x = {3, 0, 4, -1}, read = {3, 0, 0, -3};
  const QuantisationError e = quantisation_error(x, read);
  EXPECT_EQ(e.count, 4);
  EXPECT_EQ(e.zeros, 1);
  EXPECT_EQ(e.worst, 2);
  EXPECT_EQ(e.worst_error, 4);
  EXPECT_EQ(e.relative, std::sqrt(20.0 / 26.0));
  EXPECT_THROW(quantisation_error(x, std::span(read).first(3)), Error);
}

}  // namespace
}  // namespace napkin
