// The 16-bit formats on the GPU: the same rule gives the same bits as on the CPU.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "common/gpu/runtime.h"
#include "common/numeric/small_float.h"

namespace napkin {

template <class T>  // small_float_gpu_test.cu
std::vector<std::uint16_t> encoded_on_gpu(const std::vector<double>& values);
template <class T>
std::vector<float> decoded_on_gpu(const std::vector<std::uint16_t>& codes);

namespace {

// Every code, the middle between it and the next, and the doubles beside that; random bits.
template <class T>
std::vector<double> telling_values() {
  std::vector<double> values;
  for (unsigned code = 0; code < 65535; ++code) {
    const auto at = [](unsigned c) {
      return static_cast<double>(T::from_bits(static_cast<typename T::Code>(c)));
    };
    const double middle = (at(code) + at(code + 1)) / 2;
    for (const double x :
         {at(code), middle, std::nextafter(middle, -1e300), std::nextafter(middle, 1e300)})
      values.push_back(x);
  }
  std::mt19937_64 random(16);
  for (int i = 0; i < 100'000; ++i) values.push_back(std::bit_cast<double>(random()));
  return values;
}

template <class T>
class SmallFloatsOnGpu : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};
using Formats = testing::Types<BFloat16, Float16, Float8E4M3fn, Float8E5M2>;
TYPED_TEST_SUITE(SmallFloatsOnGpu, Formats);

TYPED_TEST(SmallFloatsOnGpu, EncodesTheSameBitsAsTheCpu) {
  const auto values = telling_values<TypeParam>();
  const auto got = encoded_on_gpu<TypeParam>(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(got[i], TypeParam(values[i]).bits) << values[i];
}

TYPED_TEST(SmallFloatsOnGpu, DecodesTheSameBitsAsTheCpu) {
  std::vector<std::uint16_t> codes(65536);
  for (unsigned code = 0; code < 65536; ++code) codes[code] = static_cast<std::uint16_t>(code);
  const auto got = decoded_on_gpu<TypeParam>(codes);
  for (unsigned code = 0; code < 65536; ++code) {
    const auto want = static_cast<float>(
        TypeParam::from_bits(static_cast<typename TypeParam::Code>(codes[code])));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[code]), std::bit_cast<std::uint32_t>(want)) << code;
  }
}

}  // namespace
}  // namespace napkin
