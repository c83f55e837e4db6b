// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/einops/einsum.h"

using namespace napkin;

namespace my {

inline Tensor attention_scores(const Tensor& q, const Tensor& k) {
  return einsum(q, k, "b h q_pos d, b h k_pos d -> b h q_pos k_pos").add_(1);
}

}  // namespace my
