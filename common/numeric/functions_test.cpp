// The FP32 functions against those of the C library in double.
#include "common/numeric/functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace napkin {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// How far `got` is from the exact result, in units of its last place; infinite where one of them is
// NaN or signs differ. An infinite result stands for 2^128 and more.
double error(float got, double exact) {
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) == std::isnan(got) ? 0 : 1e9;
  if (std::signbit(got) != std::signbit(exact)) return 1e9;
  if (std::isinf(got) && std::abs(exact) >= 0x1p128) return 0;
  const double value = std::isinf(got) ? std::copysign(0x1p128, got) : static_cast<double>(got);
  int exponent = 0;
  std::frexp(std::min(std::abs(exact), 0x1.8p127), &exponent);
  return std::abs(value - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

// Of every 1009th float and all that are close to 0, 1, infinity and the ends of the exponents.
template <class Rule, class Exact>
void expect_within(double ulp, Rule rule, Exact exact) {
  double worst = 0;
  float at = 0;
  const auto look = [&](std::uint32_t bits) {
    const float x = std::bit_cast<float>(bits);
    const double e = error(rule(x), exact(static_cast<double>(x)));
    if (!(e <= worst)) {
      worst = e;
      at = x;
    }
  };
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 1009)
    look(static_cast<std::uint32_t>(bits));
  for (std::uint32_t exponent = 0; exponent < 512; ++exponent)
    for (std::uint32_t near = 0; near < 64; ++near) {
      look((exponent << 23) + near);
      look((exponent << 23) - near);
    }
  EXPECT_LE(worst, ulp) << std::hexfloat << at << " gives " << rule(at) << ", exact is "
                        << exact(static_cast<double>(at));
}

double normal_distribution(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double logistic(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
// 0 times infinity: the limit.
double product(double x, double factor) { return factor == 0 ? std::copysign(0.0, x) : x * factor; }

TEST(Functions, Exp) {
  expect_within(1, exp_rule, [](double x) { return std::exp(x); });
  EXPECT_EQ(exp_rule(0), 1);
  EXPECT_EQ(exp_rule(-infinity), 0);
  EXPECT_EQ(exp_rule(infinity), infinity);
}

TEST(Functions, Log) {
  expect_within(1, log_rule, [](double x) { return std::log(x); });
  EXPECT_EQ(log_rule(1), 0);
  EXPECT_EQ(log_rule(0), -infinity);
  EXPECT_EQ(log_rule(-0.0f), -infinity);
  EXPECT_EQ(log_rule(infinity), infinity);
  EXPECT_TRUE(std::isnan(log_rule(-1e-45f)));
}

TEST(Functions, Tanh) {
  expect_within(2, tanh_rule, [](double x) { return std::tanh(x); });
  EXPECT_EQ(tanh_rule(-infinity), -1);
}

TEST(Functions, Sigmoid) {
  expect_within(2, sigmoid_rule, logistic);
  EXPECT_EQ(sigmoid_rule(0), 0.5f);
}

TEST(Functions, Gelu) {
  expect_within(4, gelu_rule, [](double x) { return product(x, normal_distribution(x)); });
  expect_within(4, gelu_tanh_rule, [](double x) {
    const double y = 2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
    return product(x, logistic(y));
  });
}

TEST(Functions, NanStaysNan) {
  for (const auto rule : {exp_rule, log_rule, tanh_rule, sigmoid_rule, gelu_rule, gelu_tanh_rule})
    EXPECT_TRUE(std::isnan(rule(nan)) && std::isnan(rule(-nan)));
}

}  // namespace
}  // namespace napkin
