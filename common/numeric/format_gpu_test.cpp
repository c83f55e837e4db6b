// The number formats and block rules on the GPU: the same rule gives the same bits as on the CPU.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "common/gpu/runtime.h"
#include "common/numeric/format_info.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/create.h"

namespace napkin {

// format_gpu_test.cu
std::vector<std::uint64_t> encoded_on_gpu(const Format& f, const std::vector<float>& values);
std::vector<std::uint64_t> encoded_on_gpu(const Format& f, const std::vector<double>& values);
std::vector<double> decoded_on_gpu(const Format& f, const std::vector<std::uint64_t>& codes);
std::vector<double> narrowly_decoded_on_gpu(const Format& f,
                                            const std::vector<std::uint64_t>& codes);
std::vector<float> through_mxfp8_on_gpu(const std::vector<float>& values);
std::vector<float> through_mxfp4_on_gpu(const std::vector<float>& values);
std::vector<float> through_nvfp4_on_gpu(const std::vector<float>& values);

namespace {

class FormatsOnGpu : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

// Every bf16 number, what stands beside it and half way to the next one, and random bits.
std::vector<float> telling_values() {
  std::vector<float> values;
  for (std::uint32_t code = 0; code < 65536; ++code)
    for (const std::uint32_t rest : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      values.push_back(std::bit_cast<float>((code << 16) + rest));
  std::mt19937 random(8);
  for (int i = 0; i < 100'000; ++i)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  return values;
}

TEST_F(FormatsOnGpu, EncodeTheSameBitsAsTheCpu) {
  const std::vector<float> values = telling_values();
  std::vector<double> wide;
  for (const float x : values) wide.push_back(std::nextafter(double{x}, 1e300));
  for (const NamedFormat& known : all_formats()) {
    const Format& f = known.format;
    const auto codes = encoded_on_gpu(f, values), wide_codes = encoded_on_gpu(f, wide);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(codes[i], encode(f, values[i], Overflow::to_special)) << name(f) << " " << i;
      ASSERT_EQ(wide_codes[i], encode(f, wide[i], Overflow::to_special)) << name(f) << " " << i;
    }
  }
}

void expect_bits(const std::vector<double>& got, const Format& f,
                 const std::vector<std::uint64_t>& codes) {
  ASSERT_EQ(got.size(), codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double want = decode(f, codes[i]);
    if (std::isnan(want) && std::isnan(got[i])) continue;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(got[i]), std::bit_cast<std::uint64_t>(want))
        << name(f) << " " << codes[i];
  }
}

// Every code of the narrow formats, every 2^(bits - 19)th of the wide ones.
TEST_F(FormatsOnGpu, DecodeTheSameBitsAsTheCpu) {
  for (const NamedFormat& known : all_formats()) {
    const Format& f = known.format;
    std::vector<std::uint64_t> codes;
    const int skipped = std::max(f.bits() - 19, 0);
    for (std::uint64_t code = 0; code < 1ull << (f.bits() - skipped); ++code)
      codes.push_back(code << skipped);
    expect_bits(decoded_on_gpu(f, codes), f, codes);
    if (is_narrow(f)) expect_bits(narrowly_decoded_on_gpu(f, codes), f, codes);
  }
}

// 32 values a block, of very different size: each block holds random bits with exponents near one.
std::vector<float> blocks_of_every_size() {
  std::mt19937 random(32);
  std::vector<float> values;
  for (std::uint32_t exponent = 0; exponent < 250; ++exponent)
    for (int i = 0; i < 32; ++i) {
      const auto bits = static_cast<std::uint32_t>(random());
      const std::uint32_t near = exponent + bits % 5;
      values.push_back(std::bit_cast<float>((bits & 0x807fffff) | near << 23));
    }
  values.resize(values.size() + 32);
  return values;
}

void expect_blocks(const BlockFormat& f, const std::vector<float>& values,
                   const std::vector<float>& got) {
  const Tensor x = from_data(values, {static_cast<std::int64_t>(values.size())});
  const auto want = dequantize(quantize(x, f)).to_vector<float>();
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want[i]))
        << values[i];
}

TEST_F(FormatsOnGpu, BlocksAreReadBackAsOnTheCpu) {
  std::vector<float> values = blocks_of_every_size();
  expect_blocks(block_formats::mxfp8, values, through_mxfp8_on_gpu(values));
  expect_blocks(block_formats::mxfp4, values, through_mxfp4_on_gpu(values));
  expect_blocks(block_formats::nvfp4, values, through_nvfp4_on_gpu(values));
  for (float& x : values) x = std::min(std::abs(x), 1e-30f);  // a tensor of small numbers
  expect_blocks(block_formats::nvfp4, values, through_nvfp4_on_gpu(values));
}

}  // namespace
}  // namespace napkin
