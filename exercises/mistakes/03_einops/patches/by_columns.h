// A mistake: goes down the columns of patches.
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor patches(const Tensor& image, std::int64_t p1, std::int64_t p2) {
  return rearrange(image, "b c (h p1) (w p2) -> b (w h) (p1 p2 c)", {{"p1", p1}, {"p2", p2}});
}

}  // namespace my
