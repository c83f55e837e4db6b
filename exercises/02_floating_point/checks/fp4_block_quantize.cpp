// Checks of exercise 02.4; the answer is in my/02_floating_point/fp4_block_quantize.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "common/numeric/format_info.h"
#include "common/tensor/create.h"
#include "common/tensor/random/generator.h"
#include "common/tensor/random/random.h"
#include "exercises/grading/check.h"
#include "my/02_floating_point/fp4_block_quantize.h"

using namespace napkin;

using Values = std::vector<float>;

static Tensor tensor(const Values& x) {
  return from_data(x, {static_cast<std::int64_t>(x.size())});
}

// How an answer may go about a block.
struct Way {
  double none_yet = 0;     // what a search for the largest begins with
  bool with_sign = false;  // the largest number in place of the largest magnitude
  bool divides_by_0 = false;
  bool scaled_back = true;
};

static void read_block(const Way& way, const float* x, float* read, std::size_t count) {
  double largest = way.none_yet;
  for (std::size_t i = 0; i < count; ++i)
    largest = std::max(largest, way.with_sign ? double{x[i]} : std::abs(double{x[i]}));
  const double scale = largest / 6;
  for (std::size_t i = 0; i < count; ++i) {
    const double code = rounded(formats::e2m1, scale == 0 ? 0 : x[i] / scale, Overflow::saturate);
    read[i] = static_cast<float>(way.scaled_back ? code * scale : code);
    if (scale == 0 && way.divides_by_0) read[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

static Values read_blocks(const Values& x, std::size_t block, const Way& way = {}) {
  Values read(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += block)
    read_block(way, &x[begin], &read[begin], std::min(block, x.size() - begin));
  return read;
}

static void compare(exercises::Checks& checks, const std::string& what, const Values& x,
                    std::size_t block) {
  const Values right = read_blocks(x, block);
  const std::size_t whole = x.size() / block * block;
  Values dropped = right, zero = right, kept = right;
  dropped.resize(whole);
  std::fill(zero.begin() + static_cast<std::ptrdiff_t>(whole), zero.end(), 0.0f);
  std::copy(x.begin() + static_cast<std::ptrdiff_t>(whole), x.end(),
            kept.begin() + static_cast<std::ptrdiff_t>(whole));
  const double lowest = -std::numeric_limits<double>::infinity();
  const std::vector<exercises::Wrong<Tensor>> mistakes = {
      {"one_scale", tensor(read_blocks(x, x.size() + 1))},
      {"last_block_dropped", tensor(dropped)},
      {"last_block_dropped", tensor(zero)},
      {"last_block_dropped", tensor(kept)},
      {"zero_scale", tensor(read_blocks(x, block, {.divides_by_0 = true}))},
      {"sign_kept", tensor(read_blocks(x, block, {.with_sign = true}))},
      {"sign_kept", tensor(read_blocks(x, block, {.none_yet = lowest, .with_sign = true}))},
      {"not_scaled_back", tensor(read_blocks(x, block, {.scaled_back = false}))}};
  float largest = 0;
  for (const float value : x) largest = std::max(largest, std::abs(value));
  // Scales are exact and no quotient is near a tie: only products with 1 / scale may be rounded.
  checks.close(
      fmt::format("x = {}, block = {}", what, block),
      [&] { return tensor(my::fp4_block_quantize(x, static_cast<std::int64_t>(block))); },
      tensor(right), 4e-7 * double{largest}, mistakes);
}

static void compare(exercises::Checks& checks, const Values& x, std::size_t block) {
  const bool few = x.size() <= 40;
  const auto shown = std::span(x).first(few ? x.size() : 12);
  compare(checks, fmt::format("[{}{}]", fmt::join(shown, ", "), few ? "" : ", ..."), x, block);
}

// A number from -6 to 6 that is not near the middle of two FP4 numbers.
static double draw_quotient(std::mt19937& random) {
  while (true) {
    const double q = static_cast<double>(random() % 12001) / 1000 - 6;
    double apart = 1;
    for (const double tie : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0})
      apart = std::min(apart, std::abs(std::abs(q) - tie));
    if (apart > 0.01) return q;
  }
}

// Blocks whose scales are short fractions and lie far apart; each has its largest number somewhere.
// Block number `zeros` is 0.
static Values draw(std::mt19937& random, std::size_t count, std::size_t block, std::size_t zeros) {
  Values x;
  while (x.size() < count) {
    const std::size_t number = x.size() / block, length = std::min(block, count - x.size());
    const double scale = (number == zeros ? 0 : 1 + static_cast<double>(random() % 15)) /
                         static_cast<double>(1 << random() % 8);
    const std::size_t largest = random() % length;
    for (std::size_t i = 0; i < length; ++i) {
      const double q = i != largest ? draw_quotient(random) : random() % 2 == 0 ? 6 : -6;
      x.push_back(scale == 0 ? 0 : static_cast<float>(scale * q));
    }
  }
  return x;
}

// The lecture's data: normal values, one in 585 of them 120 times as large; blocks of 16.
static void compare_with_lecture(exercises::Checks& checks) {
  Generator generator(1);
  Values x = randn({4096}, {}, generator).to_vector<float>();
  for (std::size_t i = 0; i < x.size(); i += 585) x[i] *= 120;
  const auto error = [&] {
    const Values read = my::fp4_block_quantize(x, 16);
    double difference = read.size() == x.size() ? 0 : std::numeric_limits<double>::infinity();
    double all = 0;
    for (std::size_t i = 0; i < std::min(x.size(), read.size()); ++i) {
      difference += std::pow(double{read[i]} - double{x[i]}, 2);
      all += std::pow(double{x[i]}, 2);
    }
    return 100 * std::sqrt(difference / all);
  };
  // Half of the last digit that the lecture prints.
  checks.close("x = 4096 normal values, one in 585 of them x 120, block = 16; relative error in %",
               error, 2.6, 0.05, {{"one_scale", 17.5}});
}

void grade(exercises::Checks& checks) {
  compare(checks, {6, 2.5f, -5, 0.25f, 0.75f, -1.25f, 1.75f, 3.5f}, 8);  // ties
  compare(checks, {0.1f, -3, 0.625f, 60, 8, -20}, 3);                    // an outlier, in one block
  compare(checks, {0, 0, 0, 1.5f, -0.3f, 0.4f}, 3);
  compare(checks, {-12, -3.3f, -0.7f, -1.1f, -0.375f, -0.1f}, 3);
  compare(checks, {0, 0, 0}, 2);
  compare(checks, {4.5f, -1}, 16);  // shorter than a block
  compare(checks, {1.5f, -0.75f, 3}, 1);
  compare(checks, Values{}, 16);
  compare_with_lecture(checks);
  std::mt19937 random(24);
  compare(checks, draw(random, 37, 16, 1), 16);
  compare(checks, draw(random, 100, 32, 9), 32);
  compare(checks, draw(random, 64, 16, 2), 16);
  compare(checks, draw(random, 23, 5, 9), 5);
  compare(checks, draw(random, 40, 8, 9), 8);
}
