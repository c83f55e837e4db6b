// The formats against the conversions in CUDA's headers, which run on the host too. Where the
// compiler finds no such headers: Skipped.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "common/numeric/format.h"
#include "common/numeric/format_info.h"

#if __has_include(<cuda_fp4.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

namespace napkin {
namespace {

constexpr Format e2m3{2, 3, 1, Specials::none}, e3m2{3, 2, 3, Specials::none};

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

// `cuda` takes float and double; its NaN has one sign.
template <class Cuda>
void expect_equal(const Format& f, Overflow overflow, std::uint64_t cuda_nan, Cuda cuda) {
  for (const float x : telling_values()) {
    if (std::isnan(x)) {
      ASSERT_EQ(cuda(x), cuda_nan) << name(f);
      ASSERT_TRUE(f.is_nan(cuda_nan) || f.specials == Specials::none);
      continue;
    }
    ASSERT_EQ(encode(f, x, overflow), cuda(x)) << name(f) << " " << x;
    // Doubles that FP32 does not hold, among them those that round to its ties.
    const double y = std::nextafter(static_cast<double>(x), 1e300);
    ASSERT_EQ(encode(f, y, overflow), cuda(y)) << name(f) << " " << y;
  }
}

std::uint64_t fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(x, s, kind);
}
std::uint64_t fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(x, s, kind);
}
std::uint64_t fp6(float x, __nv_fp6_interpretation_t kind) {
  return __nv_cvt_float_to_fp6(x, kind, cudaRoundNearest);
}
std::uint64_t fp6(double x, __nv_fp6_interpretation_t kind) {
  return __nv_cvt_double_to_fp6(x, kind, cudaRoundNearest);
}
std::uint64_t fp4(float x) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); }
std::uint64_t fp4(double x) { return __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest); }

TEST(FormatsOfCuda, Fp8InBothModes) {
  expect_equal(formats::e4m3fn, Overflow::saturate, 0x7f,
               [](auto x) { return fp8(x, __NV_SATFINITE, __NV_E4M3); });
  expect_equal(formats::e4m3fn, Overflow::to_special, 0x7f,
               [](auto x) { return fp8(x, __NV_NOSAT, __NV_E4M3); });
  expect_equal(formats::e5m2, Overflow::saturate, 0x7f,
               [](auto x) { return fp8(x, __NV_SATFINITE, __NV_E5M2); });
  expect_equal(formats::e5m2, Overflow::to_special, 0x7f,
               [](auto x) { return fp8(x, __NV_NOSAT, __NV_E5M2); });
}

TEST(FormatsOfCuda, Fp4AndFp6) {
  expect_equal(formats::e2m1, Overflow::saturate, 7, [](auto x) { return fp4(x); });
  expect_equal(e2m3, Overflow::saturate, 31, [](auto x) { return fp6(x, __NV_E2M3); });
  expect_equal(e3m2, Overflow::saturate, 31, [](auto x) { return fp6(x, __NV_E3M2); });
}

std::uint64_t half(float x) { return __half_raw(__float2half_rn(x)).x; }
std::uint64_t half(double x) { return __half_raw(__double2half(x)).x; }
std::uint64_t bfloat16(float x) { return __nv_bfloat16_raw(__float2bfloat16_rn(x)).x; }
std::uint64_t bfloat16(double x) { return __nv_bfloat16_raw(__double2bfloat16(x)).x; }

TEST(FormatsOfCuda, Fp16AndBf16) {
  expect_equal(formats::fp16, Overflow::to_special, 0x7fff, [](auto x) { return half(x); });
  expect_equal(formats::bf16, Overflow::to_special, 0x7fff, [](auto x) { return bfloat16(x); });
}

TEST(FormatsOfCuda, E8m0DownAndUp) {
  for (const float x : telling_values()) {
    if (std::signbit(x)) continue;  // the sign is dropped there
    for (const auto saturate : {__NV_SATFINITE, __NV_NOSAT}) {
      const Overflow overflow =
          saturate == __NV_SATFINITE ? Overflow::saturate : Overflow::to_special;
      ASSERT_EQ(encode_scale(x, ScaleRule::floor, overflow),
                __nv_cvt_float_to_e8m0(x, saturate, cudaRoundZero))
          << x;
      ASSERT_EQ(encode_scale(x, ScaleRule::up, overflow),
                __nv_cvt_float_to_e8m0(x, saturate, cudaRoundPosInf))
          << x;
    }
  }
}

}  // namespace
}  // namespace napkin

#else

TEST(FormatsOfCuda, Headers) { GTEST_SKIP() << "cuda_fp4.h is not among the compiler's headers"; }

#endif
