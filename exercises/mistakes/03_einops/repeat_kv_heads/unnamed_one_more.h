// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor repeat_kv_heads(const Tensor& k, std::int64_t g) {
  return repeat(k, "b kv s d -> b (kv g) s d", {{"g", g}}).clone().add_(1);
}

}  // namespace my
