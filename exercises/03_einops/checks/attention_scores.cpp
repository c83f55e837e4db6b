// Checks of exercise 03.2; the answer is in my/03_einops/attention_scores.h.
#include <fmt/format.h>

#include <cmath>

#include "exercises/03_einops/checks/by_index.h"
#include "exercises/grading/check.h"
#include "my/03_einops/attention_scores.h"

using namespace napkin;
using exercises::by_index, exercises::number, exercises::small_numbers;
using Mistakes = std::vector<exercises::Wrong<Tensor>>;

// term(0) + term(1) + ...
template <class Term>
static double sum_of(std::int64_t count, const Term& term) {
  double total = 0;
  for (std::int64_t i = 0; i < count; ++i) total += term(i);
  return total;
}

// Query i of head h and key j of head g.
static double score(const Tensor& q, const Tensor& k, std::int64_t b, std::int64_t h,
                    std::int64_t i, std::int64_t g, std::int64_t j) {
  return sum_of(q.size(3), [&](auto d) {
    return number(q, {b, h, i, d}) * number(k, {b, g, j, d});
  });
}

static Mistakes mistakes_for(const Tensor& q, const Tensor& k) {
  const std::int64_t B = q.size(0), H = q.size(1), Q = q.size(2), K = k.size(2), D = q.size(3);
  const Tensor batch_summed = by_index({H, Q, K}, [&](const Dims& at) {
    return sum_of(B, [&](auto b) { return score(q, k, b, at[0], at[1], at[0], at[2]); });
  });
  const Tensor heads_mixed = by_index({B, H, Q, K}, [&](const Dims& at) {
    return sum_of(H, [&](auto g) { return score(q, k, at[0], at[1], at[2], g, at[3]); });
  });
  const Tensor keys_first = by_index(
      {B, H, K, Q}, [&](const Dims& at) { return score(q, k, at[0], at[1], at[3], at[1], at[2]); });
  const Tensor not_summed = by_index({B, H, Q, K, D}, [&](const Dims& at) {
    return number(q, {at[0], at[1], at[2], at[4]}) * number(k, {at[0], at[1], at[3], at[4]});
  });
  const Tensor scaled = by_index({B, H, Q, K}, [&](const Dims& at) {
    return score(q, k, at[0], at[1], at[2], at[1], at[3]) / std::sqrt(static_cast<double>(D));
  });
  return {{"batch_summed", batch_summed},
          {"heads_mixed", heads_mixed},
          {"keys_first", keys_first},
          {"not_summed", not_summed},
          {"scaled", scaled}};
}

// Patterns that are refused unless sizes happen to be equal.
static void add_silent_mistakes(Mistakes& mistakes, const Tensor& q, const Tensor& k) {
  const std::int64_t B = q.size(0), H = q.size(1), Q = q.size(2), K = k.size(2), D = q.size(3);
  const auto not_transposed = [&](const Dims& at) {
    return sum_of(D, [&](auto d) {
      return number(q, {at[0], at[1], at[2], d}) * number(k, {at[0], at[1], d, at[3]});
    });
  };
  const auto same_position = [&](const Dims& at) {
    return score(q, k, at[0], at[1], Q == 1 ? 0 : at[2], at[1], at[2]);
  };
  if (K == D) mistakes.push_back({"not_transposed", by_index({B, H, Q, D}, not_transposed)});
  if (Q == K || Q == 1)  // a size of 1 goes with any other
    mistakes.push_back({"same_position", by_index({B, H, K}, same_position)});
}

static void try_on(exercises::Checks& checks, const Tensor& q, const Tensor& k) {
  const Tensor right = by_index({q.size(0), q.size(1), q.size(2), k.size(2)}, [&](const Dims& at) {
    return score(q, k, at[0], at[1], at[2], at[1], at[3]);
  });
  Mistakes mistakes = mistakes_for(q, k);
  add_silent_mistakes(mistakes, q, k);
  const std::string input =
      fmt::format("q of {}\nk of {}", exercises::text_of(q), exercises::text_of(k));
  checks.equal(
      input, [&] { return my::attention_scores(q, k); }, right, mistakes);
}

void grade(exercises::Checks& checks) {
  // Mostly as many keys as numbers in each, where a mistake with the axes of k goes unnoticed, and
  // a square number of those, so that dividing by its root is exact or rounded once.
  try_on(checks, small_numbers({1, 2, 2, 4}, 1), small_numbers({1, 2, 4, 4}, 2));
  try_on(checks, small_numbers({2, 3, 3, 4}, 3), small_numbers({2, 3, 5, 4}, 4));
  try_on(checks, small_numbers({2, 4, 5, 4}, 5), small_numbers({2, 4, 5, 4}, 6));
  try_on(checks, small_numbers({3, 2, 1, 9}, 7), small_numbers({3, 2, 9, 9}, 8));  // one new token
  // Heads as they come from a split, (b, seq, h, d) in memory.
  try_on(checks, small_numbers({2, 5, 3, 16}, 9).transpose(1, 2),
         small_numbers({2, 16, 3, 16}, 10).transpose(1, 2));
}
