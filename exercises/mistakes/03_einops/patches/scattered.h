// A mistake: takes pixels that lie far apart.
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor patches(const Tensor& image, std::int64_t p1, std::int64_t p2) {
  return rearrange(image, "b c (p1 h) (p2 w) -> b (h w) (p1 p2 c)", {{"p1", p1}, {"p2", p2}});
}

}  // namespace my
