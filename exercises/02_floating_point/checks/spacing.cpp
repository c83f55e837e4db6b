// Checks of exercise 02.3; the answer is in my/02_floating_point/spacing.h.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "common/numeric/format_info.h"
#include "exercises/grading/check.h"
#include "my/02_floating_point/spacing.h"

using namespace napkin;

static void compare(exercises::Checks& checks, double x, const NamedFormat& named, double right) {
  const Format& format = named.format;
  const int exponent_bits = format.exponent_bits, mantissa_bits = format.mantissa_bits;
  const double normal = info(format).smallest_normal, size = std::abs(x);
  int exponent = 0;
  const bool is_power = std::frexp(size, &exponent) == 0.5;
  const double unlimited = size == 0 ? 0 : std::ldexp(1.0, exponent - 1 - mantissa_bits);
  // Half the spacing at powers of two is the spacing below them; elsewhere, one bit too many.
  std::vector<exercises::Wrong<double>> mistakes = {{"exponent_one_more", 2 * right}};
  mistakes.push_back({is_power && size > normal ? "below" : "one_bit_too_many", right / 2});
  if (size < normal) mistakes.push_back({"subnormal", unlimited});
  checks.equal(
      fmt::format("x = {}, {} exponent bits, {} mantissa bits ({})", x, exponent_bits,
                  mantissa_bits, named.name),
      [&] { return my::spacing(x, exponent_bits, mantissa_bits); }, right, mistakes);
}

static void compare(exercises::Checks& checks, double x, std::string_view format) {
  const NamedFormat& named = format_named(format);
  compare(checks, x, named, spacing(named.format, x));
}

void grade(exercises::Checks& checks) {
  const NamedFormat& bf16 = format_named("bf16");
  compare(checks, 1, bf16, 0x1p-7);  // lecture 3.3
  compare(checks, 1024, bf16, 8);
  compare(checks, 4, bf16, 1.0 / 32);  // lecture 3.4: from 4 to 8
  compare(checks, 7.9, bf16, 1.0 / 32);
  for (const double x : {-1000.0, 1023.0, 0.1, 3.0, 70000.0, -2.5e-12, 3e38, 1e-39, 0.0})
    compare(checks, x, "bf16");
  for (const double x : {1.0, -0.3, 65000.0, 6.103515625e-5, 6e-5, 1e-6, 0.0, 2048.0, 4095.0})
    compare(checks, x, "fp16");
  for (const double x : {1.0, 16777217.0, 0.9999999, 1e-42}) compare(checks, x, "fp32");
  for (const double x : {200.0, 0.03, 0.004}) compare(checks, x, "e4m3fn");
  for (const double x : {40000.0, -0.75}) compare(checks, x, "e5m2");
  for (const double x : {0.2, 1.2, 2.0, 5.0}) compare(checks, x, "e2m1");
  std::mt19937 random(23);
  for (int i = 0; i < 8; ++i) {
    const double x = std::ldexp(1 + static_cast<double>(random() % 9999) / 1e4, i * 3 - 13);
    compare(checks, i % 2 == 0 ? x : -x, i % 3 == 0 ? "tf32" : "bf16");
  }
}
