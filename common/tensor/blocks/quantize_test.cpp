#include "common/tensor/blocks/quantization_error.h"
#include "common/tensor/blocks/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "common/core/error.h"
#include "common/core/observer.h"
#include "common/io/safetensors.h"
#include "common/numeric/block_formats.h"
#include "common/numeric/format_info.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

using namespace block_formats;
using formats::e2m1, formats::e4m3fn, formats::e5m2, formats::e8m0;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr BlockFormat e4m3_scale_alone{.element = e2m1, .scale = e4m3fn, .size = 16};
constexpr auto whole_row = BlockFormat::whole_row;

using Codes = std::vector<std::uint32_t>;

Tensor row_of(const std::vector<float>& x) {
  return from_data(x, {static_cast<std::int64_t>(x.size())});
}

Codes element_codes(const BlockTensor& q) {
  const auto codes = q.element_codes().to_vector<std::uint8_t>();
  return {codes.begin(), codes.end()};
}

Codes scale_codes(const BlockTensor& q) {
  Codes result;
  if (q.scales.dtype() == DType::fp32)
    for (const float scale : q.scales.to_vector<float>())
      result.push_back(std::bit_cast<std::uint32_t>(scale));
  else
    for (const std::uint8_t code : q.scales.to_vector<std::uint8_t>()) result.push_back(code);
  return result;
}

float tensor_scale_of(const BlockTensor& q) {
  return q.tensor_scale.defined() ? *q.tensor_scale.data<float>() : 1;
}

std::vector<float> read_back(const BlockTensor& q) { return dequantize(q).to_vector<float>(); }

void expect_bits(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want[i])) << i;
}

Codes whole_numbers(const io::StoredTensor& tensor) {
  Codes result;
  if (tensor.type == "U8") {
    for (const std::uint8_t code : io::values<std::uint8_t>(tensor)) result.push_back(code);
  } else {  // U32, which no dtype of ours holds
    result.resize(tensor.data.size() / 4);
    std::memcpy(result.data(), tensor.data.data(), tensor.data.size());
  }
  return result;
}

void expect_as_recorded(const io::SafetensorsFile& file, const std::string& what,
                        const BlockTensor& q) {
  SCOPED_TRACE(what);
  EXPECT_EQ(scale_codes(q), whole_numbers(file[what + ".scales"]));
  EXPECT_EQ(element_codes(q), whole_numbers(file[what + ".codes"]));
  expect_bits(read_back(q), io::values<float>(file[what + ".read"]));
  expect_bits({tensor_scale_of(q)}, io::values<float>(file[what + ".tensor"]));
}

struct Named {
  std::string name;
  BlockFormat format;
};

std::vector<Named> recorded_formats() {
  std::vector<Named> all = {{"nvfp4", nvfp4},
                            {"e2m1 e4m3fn", e4m3_scale_alone},
                            {"e4m3fn block", fp32_scaled(e4m3fn, 16)},
                            {"e2m1 block", fp32_scaled(e2m1, 16)},
                            {"e4m3fn row", fp32_scaled(e4m3fn, whole_row)},
                            {"e5m2 row", fp32_scaled(e5m2, whole_row)}};
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
TEST(BlockTensor, EveryScaleEveryCodeAndEveryNumberReadAsRecorded) {
  const io::SafetensorsFile file(NAPKIN_SOURCE "/reference/golden/blocks.safetensors");
  const auto input = [&](const std::string& name) {
    const auto& stored = file[name];
    return from_data(io::values<float>(stored), {stored.shape[0], stored.shape[1]});
  };
  for (const std::string which : {"", " tiny", " one", " plain"}) {
    const Tensor x = input("input" + which);
    for (const Named& f : recorded_formats())
      expect_as_recorded(file, f.name + which, quantize(x, f.format));
  }
  const Tensor x = input("input");
  expect_as_recorded(file, "e4m3fn tensor", quantize(x, fp32_scaled(e4m3fn)));
  expect_as_recorded(file, "e2m1 tensor", quantize(x, fp32_scaled(e2m1)));
}

// 1 / 1e-38 448 is infinite in FP32.
TEST(BlockTensor, VerySmallBlocksStayFinite) {
  const BlockTensor q = quantize(from_data({2.8094e-36f, -1e-37f, 5e-38f}), mxfp8);
  EXPECT_EQ(scale_codes(q), Codes{0});
  const double want[] = {448, -18, 9}, read[] = {2.6331e-36, -1.0579e-37, 5.2897e-38};
  const auto got = read_back(q);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(decode(e4m3fn, element_codes(q)[i]), want[i]);
    EXPECT_LE(std::abs(got[i] - read[i]), 1e-4 * std::abs(read[i]));
  }
  for (const float amax : {1e-38f, 1e-40f, 1e-44f, 1.4e-45f})
    for (const BlockFormat& f :
         {fp32_scaled(e4m3fn, 16), fp32_scaled(e2m1, 16), mxfp8, mxfp4, nvfp4}) {
      const auto back = read_back(quantize(from_data({amax, -amax, 0.5f * amax, 0.0f}), f));
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LE(std::abs(back[i]), 2 * amax) << name(f.element) << " " << amax;
      if (f.scale == formats::fp32) {
        EXPECT_GT(back[0], 0.5f * amax) << name(f.element);
      }
    }
}

TEST(BlockTensor, BlocksDoNotRunAcrossRows) {
  Tensor x = full({2, 20}, 0.01);
  x[1][3].fill_(96);
  const BlockTensor q = quantize(x, {.element = e2m1, .scale = e8m0, .size = 16});
  EXPECT_EQ(q.scales.shape(), (Shape{2, 2}));
  EXPECT_EQ(q.codes.shape(), (Shape{2, 10}));
  const auto read = read_back(q);
  for (std::size_t i = 16; i < 20; ++i) EXPECT_EQ(read[i], 0.01171875f);
  EXPECT_EQ(read[23], 96);
  EXPECT_EQ(read[20], 0);
  EXPECT_EQ(read[36], 0.01171875f);
}

TEST(BlockTensor, TwoCodesShareAByteAndARowStartsOne) {
  const std::vector<float> x = {0.5f, -1, 6, 2, 3, -6};
  const BlockTensor q = quantize(from_data(x, {2, 3}), fp32_scaled(e2m1, 3));
  EXPECT_EQ(q.codes.to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{0xa1, 0x07, 0x54, 0x0f}));
  EXPECT_EQ(element_codes(q), (Codes{1, 10, 7, 4, 5, 15}));
  EXPECT_EQ(q.element_codes().shape(), (Shape{2, 3}));
  EXPECT_EQ(read_back(q), x);
}

TEST(BlockTensor, BlocksOfZeros) {
  std::vector<float> x(32, 0.0f);
  x[20] = 3;
  x[5] = -0.0f;
  const BlockTensor q = quantize(row_of(x), nvfp4);
  EXPECT_EQ(scale_codes(q), (Codes{0, 0x7e}));
  expect_bits(read_back(q), x);
  const Tensor zeros33 = zeros({33});
  for (const BlockFormat& f : {mxfp8, mx(e4m3fn, ScaleRule::up), mxfp4, nvfp4}) {
    const BlockTensor all = quantize(zeros33, f);
    for (const std::uint32_t scale : scale_codes(all)) EXPECT_EQ(scale, 0u);
    EXPECT_EQ(read_back(all), std::vector<float>(33, 0.0f));
    EXPECT_EQ(quantization_error(zeros33, all).relative, 0);
  }
  EXPECT_EQ(tensor_scale_of(quantize(zeros33, nvfp4)), 1);
  EXPECT_EQ(quantize(zeros33, fp32_scaled(e4m3fn)).scales.item(), Scalar(1.0));
}

TEST(BlockTensor, AnInfinityOrNanMakesItsMxBlockNan) {
  for (const float bad : {infinity, -infinity, NAN, -NAN})
    for (const BlockFormat& f : {mxfp8, mxfp8_e5m2, mxfp4, mx(e2m1, ScaleRule::up)}) {
      Tensor x = ones({70});
      x[40].fill_(bad);
      const BlockTensor q = quantize(x, f);
      EXPECT_EQ(scale_codes(q)[1], 255u);
      const auto read = read_back(q);
      const auto codes = element_codes(q);
      for (std::size_t i = 0; i < 70; ++i) {
        EXPECT_EQ(std::isnan(read[i]), i >= 32 && i < 64) << i;
        if (i >= 32 && i < 64) {
          EXPECT_EQ(codes[i], 0u) << i;
        }
      }
      const QuantizationError error = quantization_error(x, q);
      EXPECT_TRUE(std::isnan(error.relative) && std::isnan(error.worst_error));
      EXPECT_EQ(error.worst, 32);
    }
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(BlockTensor, WhatHasNoPlaceIsRefused) {
  Tensor x = ones({2, 20});
  x[1][17].fill_(infinity);
  x[1][19].fill_(NAN);
  const auto of = [&](const BlockFormat& f) { return refusal([&] { quantize(x, f); }); };
  const std::string reason =
      "value 37 is inf in fp32: this format has no code for it (MX formats have: a scale of NaN)";
  EXPECT_EQ(of(nvfp4), reason);
  EXPECT_EQ(of(fp32_scaled(e5m2)), reason);
  EXPECT_EQ(of(fp32_scaled(e5m2, 7)), reason);
  EXPECT_EQ(of(mx(formats::bf16)),
            "blocks of bf16 with a scale of e8m0: elements are e4m3fn, e5m2 or e2m1, scales are "
            "e8m0, e4m3fn or fp32");
  EXPECT_EQ(of({.element = e2m1, .scale = e5m2, .size = 16}),
            "blocks of e2m1 with a scale of e5m2: elements are e4m3fn, e5m2 or e2m1, scales are "
            "e8m0, e4m3fn or fp32");
  EXPECT_EQ(of({.element = e2m1, .scale = e8m0, .tensor_scale = true, .size = 16}),
            "a tensor's scale beside block scales of e8m0: only e4m3fn scales have one");
  EXPECT_EQ(of({.element = e2m1, .scale = e8m0, .size = -2}), "blocks of -2 numbers: at least 1");
  EXPECT_EQ(refusal([] { quantize(zeros({3}, {.dtype = DType::int32}), nvfp4); }),
            "quantize from int32: a floating dtype is needed (fp64, fp32, bf16, fp16)");
  EXPECT_EQ(refusal([] { dequantize(quantize(zeros({3}), nvfp4), DType::boolean); }),
            "dequantize to bool: a floating dtype is needed (fp64, fp32, bf16, fp16)");
  EXPECT_THROW(quantize(Tensor(), nvfp4), Error);
}

TEST(BlockTensor, EmptyTensors) {
  for (const Shape& shape : {Shape{0, 5}, Shape{5, 0}, Shape{0, 0}, Shape{0}, Shape{2, 0, 3}})
    for (const BlockFormat& f : {mxfp8, nvfp4, fp32_scaled(e4m3fn), fp32_scaled(e2m1, whole_row)}) {
      const BlockTensor q = quantize(zeros(shape), f);
      EXPECT_EQ(q.codes.numel() + q.scales.numel(), 0);
      EXPECT_EQ(dequantize(q).shape(), shape);
      EXPECT_EQ(quantization_error(zeros(shape), q).count, 0);
    }
  EXPECT_EQ(tensor_scale_of(quantize(zeros({0, 5}), nvfp4)), 1);
}

// Lecture 3.6: a scale costs 8 bits for 32 values in MXFP8, for 16 in NVFP4.
TEST(BlockTensor, BitsForAValue) {
  const Tensor x = ones({64, 64});
  EXPECT_EQ(quantize(x, mxfp8).bits_per_value(), 8.25);
  EXPECT_EQ(quantize(x, mxfp8).scales.numel(), 128);
  EXPECT_EQ(quantize(x, nvfp4).bits_per_value(), 4.5);
  EXPECT_EQ(quantize(x, nvfp4).scales.numel(), 256);
  EXPECT_EQ(quantize(x, nvfp4).bytes(), 64 * 32 + 256 + 4);
  EXPECT_EQ(quantize(x, fp32_scaled(e4m3fn)).bytes(), 64 * 64 + 4);
}

struct Events : Observer {
  void on(const OperationEvent& e) override { seen.push_back(e); }
  void on(const AllocationEvent& e) override { allocated += e.bytes; }
  std::vector<OperationEvent> seen;
  std::int64_t allocated = 0;
};

TEST(BlockTensor, ObserversAreToldAndMetaCountsTheSame) {
  for (const Device device : {Device::cpu, Device::meta})
    for (const BlockFormat& f : {mxfp8, nvfp4, fp32_scaled(e2m1, whole_row)}) {
      const Tensor x = device == Device::cpu ? ones({3, 50}, {.dtype = DType::bf16})
                                             : empty({3, 50}, {DType::bf16, device});
      Events events;
      const BlockTensor q = quantize(x, f);
      EXPECT_EQ(events.allocated, device == Device::cpu ? q.bytes() : 0);
      EXPECT_EQ(q.bytes(), quantize(ones({3, 50}), f).bytes());
      const Tensor read = dequantize(q, DType::fp16);
      EXPECT_EQ(read.shape(), (Shape{3, 50}));
      EXPECT_EQ(read.device(), device);
      ASSERT_EQ(std::string(events.seen[0].name), "quantize");
      EXPECT_EQ(events.seen[0].device, device);
      EXPECT_EQ(events.seen[0].bytes_read, 300);
      EXPECT_EQ(events.seen[0].bytes_written, q.bytes());
      EXPECT_EQ(events.seen[0].flops, 300);
      const OperationEvent& last = events.seen.back();
      ASSERT_EQ(std::string(last.name), "dequantize");
      EXPECT_EQ(last.bytes_read, q.bytes());
      EXPECT_EQ(last.bytes_written, 300);
      EXPECT_EQ(last.flops, 150);
    }
  const BlockTensor meta = quantize(empty({4}, {.device = Device::meta}), mxfp8);
  EXPECT_THROW(meta.element_codes(), Error);
  EXPECT_THROW(meta.decoded_scales(), Error);
  EXPECT_EQ(quantize(ones({4}), mxfp8).to(Device::meta).bytes(), meta.bytes());
}

}  // namespace
}  // namespace napkin
