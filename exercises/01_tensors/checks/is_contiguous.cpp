// Checks of exercise 01.4; the answer is in my/01_tensors/is_contiguous.h.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <span>
#include <utility>

#include "exercises/grading/check.h"
#include "my/01_tensors/is_contiguous.h"

using namespace napkin;

static std::int64_t count(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  return elements;
}

static Strides row_major(const Shape& shape) {
  Strides strides;
  for (int d = 0; d < shape.size(); ++d)
    strides.push_back(count(Dims(std::span(shape.begin() + d + 1, shape.end()))));
  return strides;
}

// As the words say: the element that is visited as number k stands at place k.
static bool in_row_major_order(const Shape& shape, const Strides& strides) {
  for (std::int64_t k = 0; k < count(shape); ++k) {
    std::int64_t rest = k, place = 0;
    for (int d = shape.size() - 1; d >= 0; --d) {
      place += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    if (place != k) return false;
  }
  return true;
}

// No two elements at one place, no gaps: in any order.
static bool is_dense(const Shape& shape, const Strides& strides) {
  std::int64_t last = 0;
  for (int d = 0; d < shape.size(); ++d) last += (shape[d] - 1) * strides[d];
  return last + 1 == count(shape);
}

static void compare(exercises::Checks& checks, const Shape& shape, const Strides& strides) {
  const bool empty = count(shape) == 0, right = in_row_major_order(shape, strides);
  const std::vector<exercises::Wrong<bool>> mistakes = {
      {"size_one_judged", empty || strides == row_major(shape)},
      {"empty_judged", !empty && right},
      {"last_stride_only", empty || strides.empty() || strides[strides.size() - 1] == 1},
      {"falling_only", empty || std::is_sorted(strides.begin(), strides.end(), std::greater<>())},
      {"any_order", empty || is_dense(shape, strides)}};
  const std::string input =
      fmt::format("shape {}, strides {}", exercises::text_of(shape), exercises::text_of(strides));
  checks.equal(
      input, [&] { return my::is_contiguous(shape, strides); }, right, mistakes);
}

// Dimensions of 1 here and there, and sometimes two strides exchanged or one of them larger.
static void check_random(exercises::Checks& checks, std::mt19937& random, int change) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Shape shape;
  for (int d = 0; d < 4; ++d) shape.push_back(2 + below(4));
  const int one = below(4);
  shape[one] = 1;
  Strides strides = row_major(shape);
  strides[one] = below(40);
  if (change == 1) std::swap(strides[(one + 1) % 4], strides[(one + 2) % 4]);
  if (change == 2) strides[(one + 3) % 4] += 1 + below(3);
  compare(checks, shape, strides);
}

void grade(exercises::Checks& checks) {
  compare(checks, {2, 3, 4}, {12, 4, 1});
  compare(checks, {4, 3, 2}, {1, 4, 12});  // the lecture's exercise: transpose(0, 2)
  compare(checks, {3, 4}, {8, 1});         // x[:, :4] of (3, 8)
  compare(checks, {3, 4}, {8, 2});         // every other column of it
  compare(checks, {4, 3, 5}, {5, 20, 1});  // transpose(0, 1)
  compare(checks, {3, 4}, {0, 1});         // expanded
  compare(checks, {6}, {2});
  compare(checks, {5}, {1});
  compare(checks, {}, {});
  compare(checks, {1, 5}, {1, 1});  // x.t() of (5, 1)
  compare(checks, {4, 1}, {1, 4});  // x.t() of (1, 4)
  compare(checks, {3, 1, 4}, {4, 77, 1});
  compare(checks, {1}, {9});
  compare(checks, {1, 1}, {0, 0});
  compare(checks, {3, 0, 4}, {5, 9, 2});
  compare(checks, {0}, {3});
  compare(checks, {2, 3, 4}, {4, 8, 1});
  compare(checks, {2, 3, 4}, {13, 4, 1});
  std::mt19937 random(14);
  for (int i = 0; i < 9; ++i) check_random(checks, random, i % 3);
}
