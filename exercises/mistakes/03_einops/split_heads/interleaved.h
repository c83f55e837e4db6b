// A mistake: splits the width as (d h).
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor split_heads(const Tensor& x, std::int64_t heads) {
  return rearrange(x, "b s (d h) -> b h s d", {{"h", heads}});
}

}  // namespace my
