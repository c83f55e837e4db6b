// Checks of exercise 01.2; the answer is in my/01_tensors/position_in_storage.h.
#include <fmt/format.h>

#include <random>

#include "common/tensor/layout.h"
#include "common/tensor/views.h"
#include "exercises/grading/check.h"
#include "my/01_tensors/position_in_storage.h"

using namespace napkin;

static std::int64_t steps(const Dims& index, const Strides& strides) {
  std::int64_t sum = 0;
  for (int d = 0; d < index.size(); ++d) sum += index[d] * strides[d];
  return sum;
}

static Strides column_major(const Shape& shape) {
  Strides strides;
  std::int64_t stride = 1;
  for (const std::int64_t size : shape) {
    strides.push_back(stride);
    stride *= size;
  }
  return strides;
}

static void compare(exercises::Checks& checks, const Layout& layout, const Dims& index,
                    std::int64_t right) {
  using exercises::text_of;
  const std::string input =
      fmt::format("shape {}, strides {}, offset {}, index {}", text_of(layout.shape),
                  text_of(layout.strides), layout.offset, text_of(index));
  const std::int64_t by_shape = layout.offset + steps(index, contiguous_strides(layout.shape));
  checks.equal(input, [&] { return my::position_in_storage(layout, index); }, right,
               {{"offset_forgotten", right - layout.offset},
                {"strides_ignored", by_shape},
                {"strides_ignored", by_shape - layout.offset},
                {"column_major", layout.offset + steps(index, column_major(layout.shape))},
                {"overflow", static_cast<std::int32_t>(right)}});
}

static void compare(exercises::Checks& checks, const Layout& layout, const Dims& index) {
  compare(checks, layout, index, layout.offset + steps(index, layout.strides));
}

// A view of a contiguous tensor: a slice, then a transpose.
static Layout some_view(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Layout layout;
  const int rank = 2 + below(3);
  for (int d = 0; d < rank; ++d) layout.shape.push_back(3 + below(5));
  layout.strides = contiguous_strides(layout.shape);
  layout = slice(layout, below(rank), 1 + below(2), 8, 1 + below(2));
  return transpose(layout, below(rank), below(rank));
}

void grade(exercises::Checks& checks) {
  compare(checks, {{2, 3, 4}, {12, 4, 1}}, {1, 2, 3}, 23);  // the lecture's exercise
  compare(checks, {{3, 4}, {4, 1}}, {1, 2}, 6);             // lecture 2.3
  compare(checks, {{2, 3, 4}, {12, 4, 1}}, {1, 0, 2});
  compare(checks, {{4, 3, 2}, {1, 4, 12}}, {3, 1, 0});  // transpose(0, 2)
  compare(checks, {{3, 6}, {7, 1}, 15}, {2, 4});        // x[2:, 1:] of (5, 7)
  compare(checks, {{4}, {7}, 3}, {2});                  // a column
  compare(checks, {{5, 3}, {0, 1}}, {4, 2});            // 3 elements, expanded to 5 rows
  compare(checks, {{}, {}, 5}, {});                     // x[5], no dimension left
  compare(checks, {{70000, 70000}, {70000, 1}}, {69999, 69998});
  std::mt19937 random(12);
  for (int i = 0; i < 8; ++i) {
    const Layout layout = some_view(random);
    Dims index;
    for (const std::int64_t size : layout.shape)
      index.push_back(static_cast<std::int64_t>(random()) % size);
    compare(checks, layout, index);
  }
}
