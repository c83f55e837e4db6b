// The branch-free rules of numeric/format.h, in every loop, against their definition in double.
#include "common/tensor/cpu/copy/convert_loops.h"
#include "common/tensor/cpu/levels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "common/numeric/small_float.h"

namespace napkin::cpu {
namespace {

TEST(SmallFloats, EveryCodeIsTheNumberThatItDefines) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto c = static_cast<std::uint16_t>(code);
    const auto bf16 = static_cast<float>(decode(formats::bf16, code));
    const auto fp16 = static_cast<float>(decode(formats::fp16, code));
    const auto same = [](float got, float want) {  // NaN may keep more of its bits, and its sign
      if (std::isnan(want)) return std::isnan(got) && std::signbit(got) == std::signbit(want);
      return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
    };
    ASSERT_TRUE(same(static_cast<float>(BFloat16::from_bits(c)), bf16)) << code;
    ASSERT_TRUE(same(static_cast<float>(Float16::from_bits(c)), fp16)) << code;
  }
}

// NaN included, and where vectors end.
TEST(SmallFloats, EveryLevelWidensToTheSameBits) {
  for (const DType dtype : {DType::bf16, DType::fp16, DType::e4m3fn, DType::e5m2})
    visit(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (is_small_float<T>) {
        std::vector<T> codes;
        for (std::uint32_t c = 0; c < 65535; ++c)
          codes.push_back(T::from_bits(static_cast<typename T::Code>(c)));
        std::vector<float> got(codes.size());
        for (const std::string& level : levels()) {
          const ForcedLevel forced(level);
          conversion(DType::fp32, dtype)(got.data(), codes.data(), std::ssize(codes));
          for (std::size_t i = 0; i < codes.size(); ++i)
            ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]),
                      std::bit_cast<std::uint32_t>(static_cast<float>(codes[i])))
                << level << ": " << i;
        }
      }
    });
}

// Around every number of both formats, and random bits: the nearest floats on both sides, ties,
// NaN.
std::vector<float> inputs() {
  std::vector<float> x;
  const auto around = [&](std::uint32_t bits) {
    for (const std::uint32_t near : {bits - 1, bits, bits + 1})
      x.push_back(std::bit_cast<float>(near));
  };
  for (std::uint32_t code = 0; code < 65536; ++code) {
    around(code << 16);
    around((code << 16) + 0x8000);
    const auto c = static_cast<std::uint16_t>(code);
    const auto value = static_cast<float>(Float16::from_bits(c));
    const auto next = static_cast<float>(Float16::from_bits(static_cast<std::uint16_t>(c + 1)));
    around(std::bit_cast<std::uint32_t>(value));
    around(std::bit_cast<std::uint32_t>(value / 2 + next / 2));
  }
  std::mt19937 engine(5);
  for (int i = 0; i < 100000; ++i)
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(engine())));
  for (const float edge : {65504.0f, 65519.996f, 65520.0f, 0x1p-25f, 0x1.8p-25f, 0x1p-14f})
    around(std::bit_cast<std::uint32_t>(edge));
  return x;
}

TEST(SmallFloats, EveryLevelRoundsLikeTheDefinition) {
  const std::vector<float> x = inputs();
  std::vector<std::uint16_t> got(x.size());
  for (const std::string& level : levels()) {
    const ForcedLevel forced(level);
    conversion(DType::bf16, DType::fp32)(got.data(), x.data(), std::ssize(x));
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(got[i], BFloat16(double{x[i]}).bits) << level << ": " << x[i];
    conversion(DType::fp16, DType::fp32)(got.data(), x.data(), std::ssize(x));
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(got[i], Float16(double{x[i]}).bits) << level << ": " << x[i];
  }
}

TEST(Levels, TheBaselineIsAlwaysThereAndUnknownOnesAreRefused) {
  EXPECT_GE(levels().size(), 1u);
  EXPECT_THROW(ForcedLevel("AVX9"), Error);
}

}  // namespace
}  // namespace napkin::cpu
