// Exercise 03.4: an image cut into patches (lecture 4.2).
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor patches(const Tensor& image, std::int64_t p1, std::int64_t p2) {
  return rearrange(image, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {{"p1", p1}, {"p2", p2}});
}

}  // namespace my
