// Exercise 03.4: an image cut into patches (lecture 4.2).
// Edit my/03_einops/patches.h only. Check: ./lecture grade patches
#pragma once
#include "common/einops/einops.h"  // rearrange(x, pattern, {{"p1", p1}, {"p2", p2}})
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// image (batch, channels, height, width) -> (batch, patches, p1 * p2 * channels). A patch is p1
// pixels high and p2 wide; p1 divides the height, p2 the width. Patches come row by row, as one
// reads a page; so do the pixels of a patch, and the channels of a pixel stand side by side.
inline Tensor patches(const Tensor& image, std::int64_t p1, std::int64_t p2) {
  // TODO: one rearrange: split height and width, then merge what belongs together.
  not_done_yet("03_einops/patches");
}

}  // namespace my
