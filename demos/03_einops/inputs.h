// The inputs of demo 03: their values in the lecture, their flags and their limits.
#pragma once
#include <cstdint>
#include <vector>

#include "common/lecture/report.h"
#include "demos/03_einops/heads.h"

namespace napkin {

struct Inputs {
  HeadSizes sizes{2, 5, 8, 8};
  std::vector<std::int64_t> drawn = {3, 2, 2};    // tokens, heads, numbers per head
  std::vector<std::int64_t> product = {4, 6, 5};  // (seq1 hidden) x (hidden seq2)
  std::vector<std::int64_t> outer = {3, 4}, image = {2, 3, 32, 32};
  std::vector<std::int64_t> chain = {1000, 10, 1000, 10};  // a, b, c, d
  std::vector<std::int64_t> misspelt = {3, 2, 2};          // out, in, inn
  std::int64_t patch = 8, kv_heads = 2, kv_dim = 16;
};

void add_inputs(lecture::Demo& demo, Inputs& in);
// Each section refuses, naming the flag, what is no size, does not divide, or takes too long.
void refuse_bad(lecture::Demo& demo, const Inputs& in);

}  // namespace napkin
