// Checks of exercise 03.3; the answer is in my/03_einops/repeat_kv_heads.h.
#include <fmt/format.h>

#include "exercises/03_einops/checks/by_index.h"
#include "exercises/grading/check.h"
#include "my/03_einops/repeat_kv_heads.h"

using namespace napkin;

static void try_on(exercises::Checks& checks, const std::string& what, const Tensor& k,
                   std::int64_t g) {
  using exercises::by_index, exercises::number;
  const std::int64_t B = k.size(0), KV = k.size(1), S = k.size(2), D = k.size(3);
  const Tensor right = by_index({B, KV * g, S, D}, [&](const Dims& at) {
    return number(k, {at[0], at[1] / g, at[2], at[3]});
  });
  const Tensor exchanged = by_index({B, KV * g, S, D}, [&](const Dims& at) {
    return number(k, {at[0], at[1] % KV, at[2], at[3]});
  });
  const Tensor each_token = by_index({B, KV, S * g, D}, [&](const Dims& at) {
    return number(k, {at[0], at[1], at[2] / g, at[3]});
  });
  const Tensor all_tokens = by_index({B, KV, S * g, D}, [&](const Dims& at) {
    return number(k, {at[0], at[1], at[2] % S, at[3]});
  });
  const Tensor own_axis = by_index({B, KV, g, S, D}, [&](const Dims& at) {
    return number(k, {at[0], at[1], at[3], at[4]});
  });
  const std::string input =
      fmt::format("k {} of shape {}, g {}", what, exercises::text_of(k.shape()), g);
  checks.equal(input, [&] { return my::repeat_kv_heads(k, g); }, right,
               {{"exchanged", exchanged},
                {"along_seq", each_token},
                {"along_seq", all_tokens},
                {"not_merged", own_axis}});
}

void grade(exercises::Checks& checks) {
  using exercises::counting, exercises::shuffled;
  try_on(checks, "0, 1, 2, ...", counting({1, 2, 2, 2}), 3);
  try_on(checks, "0, 1, 2, ...", counting({2, 2, 5, 16}), 4);  // the lecture's 2 heads for 8
  try_on(checks, "in random order", shuffled({2, 3, 3, 2}, 1), 3);
  try_on(checks, "in random order", shuffled({3, 5, 4, 3}, 2), 2);
  try_on(checks, "in random order", shuffled({2, 1, 3, 5}, 3), 4);  // one for all
  try_on(checks, "in random order", shuffled({2, 3, 4, 5}, 4), 1);  // one for each
  try_on(checks, "a transposed view", shuffled({2, 4, 3, 5}, 5).transpose(1, 2), 2);
}
