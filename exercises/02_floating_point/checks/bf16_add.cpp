// Checks of exercise 02.2; the answer is in my/02_floating_point/bf16_add.h.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "common/numeric/small_float.h"
#include "exercises/grading/check.h"
#include "my/02_floating_point/bf16_add.h"

using namespace napkin;

static float nearest(double x) { return static_cast<float>(BFloat16(x)); }
static float cut(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xFFFF0000);
}

static void compare(exercises::Checks& checks, float a, float b, float right) {
  const float x = nearest(a), y = nearest(b);
  checks.equal(fmt::format("a = {}, b = {}", a, b), [&] { return my::bf16_add(a, b); }, right,
               {{"sum_not_rounded", x + y},
                {"sum_not_rounded", a + b},
                {"operands_not_rounded", nearest(a + b)},
                {"truncated", cut(cut(a) + cut(b))},
                {"truncated", cut(x + y)}});
}

// The exact sum of two BF16 numbers of like size fits into a double: one rounding, from there.
static void compare(exercises::Checks& checks, float a, float b) {
  compare(checks, a, b, nearest(double{nearest(a)} + double{nearest(b)}));
}

void grade(exercises::Checks& checks) {
  compare(checks, 1024, 1, 1024);  // the lecture's exercise
  compare(checks, 1024, 4, 1024);
  compare(checks, 1024, 5, 1032);
  compare(checks, 1, 0.001f, 1);  // lecture 3.3
  compare(checks, 4, 0.01f, 4);   // lecture 3.4: here the sum sticks
  compare(checks, 1, -1e-4f, 1);  // lecture 3.4: the weight that does not move
  compare(checks, 1032, 4);       // the other tie
  compare(checks, -1024, -5);
  compare(checks, 3.99f, 0.01f);
  compare(checks, 256, 257);  // 257 is not in BF16
  compare(checks, 1.003f, 1.003f);
  compare(checks, 0.1f, -0.1002f);
  compare(checks, 3.38e38f, 3e37f);  // past the largest number
  compare(checks, 1e-40f, 3e-39f);   // subnormal numbers
  const float infinity = std::numeric_limits<float>::infinity();
  compare(checks, infinity, -1);
  compare(checks, infinity, -infinity);
  std::mt19937 random(22);
  for (int i = 0; i < 12; ++i) {
    const auto draw = [&] { return static_cast<float>(random() % 200000) / 1000 - 70; };
    const float a = draw(), b = draw();
    compare(checks, a, b / static_cast<float>(1 << i % 4));
  }
}
