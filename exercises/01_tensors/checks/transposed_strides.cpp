// Checks of exercise 01.3; the answer is in my/01_tensors/transposed_strides.h.
#include <fmt/format.h>

#include <random>
#include <utility>

#include "common/tensor/layout.h"
#include "common/tensor/views.h"
#include "exercises/grading/check.h"
#include "my/01_tensors/transposed_strides.h"

using namespace napkin;

static Dims swapped(Dims dims, int a, int b) {
  std::swap(dims[a], dims[b]);
  return dims;
}

// How many elements the dimensions from first to before last have.
static std::int64_t product(const Shape& shape, int first, int last) {
  std::int64_t count = 1;
  for (int d = first; d < last; ++d) count *= shape[d];
  return count;
}

static void compare(exercises::Checks& checks, const Shape& shape, int a, int b,
                    const Strides& right) {
  Strides column_major, own_size, in_32_bits;
  for (int d = 0; d < shape.size(); ++d) {
    column_major.push_back(product(shape, 0, d));
    own_size.push_back(product(shape, d, shape.size()));
    in_32_bits.push_back(static_cast<std::int32_t>(right[d]));
  }
  const std::string input =
      fmt::format("shape {}, a = {}, b = {}", exercises::text_of(shape), a, b);
  checks.equal(input, [&] { return my::transposed_strides(shape, a, b); }, right,
               {{"strides_of_a_copy", contiguous_strides(swapped(shape, a, b))},
                {"not_exchanged", swapped(right, a, b)},
                {"column_major", swapped(column_major, a, b)},
                {"own_size_counted", swapped(own_size, a, b)},
                {"overflow", in_32_bits}});
}

static void compare(exercises::Checks& checks, const Shape& shape, int a, int b) {
  compare(checks, shape, a, b, transpose({shape, contiguous_strides(shape)}, a, b).strides);
}

void grade(exercises::Checks& checks) {
  compare(checks, {2, 3, 4}, 0, 2, {1, 4, 12});  // the lecture's exercise
  compare(checks, {2, 3, 4}, 1, 2);
  compare(checks, {3, 4}, 0, 1);
  compare(checks, {5, 1, 7, 2}, 3, 1);
  compare(checks, {8, 32, 12, 64}, 1, 2);  // batch, sequence, heads, head dimension
  compare(checks, {6}, 0, 0);
  compare(checks, {4, 5, 3}, 2, 2);
  compare(checks, {3, 70000, 70000}, 0, 1);  // the first stride is past 2^31
  std::mt19937 random(13);
  for (int i = 0; i < 6; ++i) {
    const int rank = 3 + i % 3;
    Shape shape;
    for (int d = 0; d < rank; ++d) shape.push_back(2 + static_cast<std::int64_t>(random() % 8));
    const int a = static_cast<int>(random() % static_cast<unsigned>(rank));
    compare(checks, shape, a, (a + 1 + i % 2) % rank);
  }
}
