// A mistake: is wrong in a way that no hint knows.
#pragma once
#include "common/einops/einops.h"

using namespace napkin;

namespace my {

inline Tensor patches(const Tensor& image, std::int64_t p1, std::int64_t p2) {
  const char* pattern = "b c (h p1) (w p2) -> b (h w) (p1 p2 c)";
  return rearrange(image, pattern, {{"p1", p1}, {"p2", p2}}).clone().add_(1);
}

}  // namespace my
