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
//
// 题目：image (batch, channels, height, width) -> (batch, patches, p1 * p2 * channels)。
// 一块高 p1 个像素、宽 p2 个像素；p1 整除高，p2 整除宽。各块像读书那样一行一行地排；
// 块里的像素也是；一个像素的各通道挨在一起。
inline Tensor patches(const Tensor& image, std::int64_t p1, std::int64_t p2) {
  // TODO: one rearrange: split height and width, then merge what belongs together.
  // 待办：一次 rearrange：拆开高与宽，再把该在一起的合并。
  not_done_yet("03_einops/patches");
}

}  // namespace my
