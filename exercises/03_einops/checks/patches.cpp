// Checks of exercise 03.4; the answer is in my/03_einops/patches.h.
#include <fmt/format.h>

#include "exercises/03_einops/checks/by_index.h"
#include "exercises/grading/check.h"
#include "my/03_einops/patches.h"

using namespace napkin;

// The pixel of an image that a number of the result comes from.
struct Pixel {
  std::int64_t channel, row, column;
};

static void try_on(exercises::Checks& checks, const std::string& what, const Tensor& image,
                   std::int64_t p1, std::int64_t p2) {
  const std::int64_t B = image.size(0), C = image.size(1), W = image.size(3);
  const std::int64_t h = image.size(2) / p1, w = W / p2;
  // pixel(patch, n): of number n of that patch.
  const auto cut = [&](const auto& pixel) {
    return exercises::by_index({B, h * w, p1 * p2 * C}, [&](const Dims& at) {
      const Pixel from = pixel(at[1], at[2]);
      return exercises::number(image, {at[0], from.channel, from.row, from.column});
    });
  };
  const Tensor right = cut([&](auto patch, auto n) {
    return Pixel{n % C, patch / w * p1 + n / (p2 * C), patch % w * p2 + n / C % p2};
  });
  const Tensor channels_first = cut([&](auto patch, auto n) {
    return Pixel{n / (p1 * p2), patch / w * p1 + n / p2 % p1, patch % w * p2 + n % p2};
  });
  const Tensor by_columns = cut([&](auto patch, auto n) {
    return Pixel{n % C, patch % h * p1 + n / (p2 * C), patch / h * p2 + n / C % p2};
  });
  const Tensor turned = cut([&](auto patch, auto n) {
    return Pixel{n % C, patch / w * p1 + n / C % p1, patch % w * p2 + n / (p1 * C)};
  });
  const Tensor scattered = cut([&](auto patch, auto n) {
    return Pixel{n % C, n / (p2 * C) * h + patch / w, n / C % p2 * w + patch % w};
  });
  const Tensor dealt = cut([&](auto patch, auto n) {
    const std::int64_t place = patch * p1 * p2 * C + n;
    return Pixel{place / (h * p1 * W), place / W % (h * p1), place % W};
  });
  const std::string input = fmt::format("image {} of shape {}, p1 {}, p2 {}", what,
                                        exercises::text_of(image.shape()), p1, p2);
  checks.equal(input, [&] { return my::patches(image, p1, p2); }, right,
               {{"channels_first", channels_first},
                {"by_columns", by_columns},
                {"turned", turned},
                {"scattered", scattered},
                {"view", dealt}});
}

void grade(exercises::Checks& checks) {
  using exercises::counting, exercises::shuffled;
  try_on(checks, "0, 1, 2, ...", counting({1, 2, 4, 6}), 2, 2);
  try_on(checks, "0, 1, 2, ...", counting({2, 3, 32, 32}), 8, 8);  // the lecture's patches
  try_on(checks, "in random order", shuffled({2, 3, 6, 10}, 1), 2, 5);
  try_on(checks, "in random order", shuffled({3, 5, 4, 7}, 2), 4, 1);
  try_on(checks, "in random order", shuffled({1, 2, 3, 5}, 3), 3, 5);  // one patch
  // Channels last in memory, and a piece of a larger image.
  try_on(checks, "a permuted view", shuffled({2, 6, 4, 3}, 4).permute({0, 3, 1, 2}), 3, 2);
  try_on(checks, "a slice", shuffled({2, 3, 8, 9}, 5).slice(2, 2, 8).slice(3, 1, 9), 3, 4);
}
