// Exercise 03.3: KV heads repeated for groups of query heads (lecture 4.2).
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor repeat_kv_heads(const Tensor& k, std::int64_t g) {
  return repeat(k, "b kv s d -> b (kv g) s d", {{"g", g}});
}

}  // namespace my
