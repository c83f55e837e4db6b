// Checks of exercise 03.1; the answer is in my/03_einops/split_heads.h.
#include <fmt/format.h>

#include "exercises/03_einops/checks/by_index.h"
#include "exercises/grading/check.h"
#include "my/03_einops/split_heads.h"

using namespace napkin;

static void try_on(exercises::Checks& checks, const std::string& what, const Tensor& x,
                   std::int64_t H) {
  using exercises::by_index, exercises::number;
  const std::int64_t B = x.size(0), S = x.size(1), W = x.size(2), D = W / H;
  const Tensor right = by_index({B, H, S, D}, [&](const Dims& at) {
    return number(x, {at[0], at[2], at[1] * D + at[3]});
  });
  const Tensor dealt = by_index({B, H, S, D}, [&](const Dims& at) {
    const std::int64_t place = (at[1] * S + at[2]) * D + at[3];
    return number(x, {at[0], place / W, place % W});
  });
  const Tensor transposed_first = by_index({B, H, S, D}, [&](const Dims& at) {
    const std::int64_t place = (at[1] * S + at[2]) * D + at[3];
    return number(x, {at[0], place % S, place / S});
  });
  const Tensor not_transposed = by_index({B, S, H, D}, [&](const Dims& at) {
    return number(x, {at[0], at[1], at[2] * D + at[3]});
  });
  const Tensor last_pair = by_index({B, S, D, H}, [&](const Dims& at) {
    return number(x, {at[0], at[1], at[3] * D + at[2]});
  });
  const Tensor outer_pair = by_index({B, D, H, S}, [&](const Dims& at) {
    return number(x, {at[0], at[3], at[2] * D + at[1]});
  });
  const Tensor interleaved = by_index({B, H, S, D}, [&](const Dims& at) {
    return number(x, {at[0], at[2], at[3] * H + at[1]});
  });
  const std::string input =
      fmt::format("x {} of shape {}, heads {}", what, exercises::text_of(x.shape()), H);
  checks.equal(input, [&] { return my::split_heads(x, H); }, right,
               {{"view", dealt},
                {"transposed_first", transposed_first},
                {"not_transposed", not_transposed},
                {"wrong_pair", last_pair},
                {"wrong_pair", outer_pair},
                {"interleaved", interleaved}});
}

void grade(exercises::Checks& checks) {
  using exercises::counting, exercises::shuffled;
  try_on(checks, "0, 1, 2, ...", counting({1, 3, 4}), 2);
  try_on(checks, "0, 1, 2, ...", counting({2, 3, 12}), 3);  // as many tokens as heads
  try_on(checks, "0, 1, 2, ...", counting({2, 5, 64}), 8);  // the lecture's
  try_on(checks, "in random order", shuffled({3, 7, 10}, 1), 5);
  try_on(checks, "in random order", shuffled({1, 4, 7}, 2), 7);  // one number for each head
  try_on(checks, "in random order", shuffled({2, 6, 9}, 3), 1);
  // One third of a tensor that holds q, k and v side by side; tokens before examples.
  try_on(checks, "a slice", shuffled({2, 4, 45}, 4).slice(2, 15, 30), 3);
  try_on(checks, "a transposed view", shuffled({6, 3, 20}, 5).transpose(0, 1), 4);
}
