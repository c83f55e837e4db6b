// Exercise 02.4: FP4 with a scale for each block (lecture 3.6).
// Edit my/02_floating_point/fp4_block_quantize.h only. Check: ./lecture grade fp4_block_quantize
#pragma once
#include <algorithm>  // std::max(a, b), std::min(a, b)
#include <cmath>      // std::abs(x)
#include <cstdint>
#include <vector>

#include "common/numeric/format.h"
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// Given: the nearest of the FP4 (E2M1) numbers 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, as
// FP4 rounds: ties to even, and beyond 6 it is 6. FP4 has no NaN; here NaN stays NaN, to be seen.
inline float nearest_fp4(float x) {
  return x != x ? x : decode<formats::e2m1>(encode<formats::e2m1>(x, Overflow::saturate));
}

// x stored as FP4 with one FP32 scale for each block of `block` numbers that follow one another,
// and read again: as many numbers as x has. The scale of a block is its largest magnitude, max |x|,
// divided by 6, so that this number becomes 6 or -6. The last block may be shorter than the others.
// A block of zeros is read as zeros. block is 1 or more; all of x is finite.
//
// 题目：把 x 存成 FP4，每连续 `block` 个数共用一个 FP32 缩放因子，再读回来：个数与 x 相同。
// 一块的缩放因子是其中最大的绝对值 max |x| 除以 6，于是这个数变成 6 或 -6。最后一块可以短些。
// 全是 0 的块读回来还是 0。block 不小于 1；x 都是有限数。上面的 nearest_fp4 已给出：最近的 FP4 数，
// 居中取偶，超过 6 取 6。
inline std::vector<float> fp4_block_quantize(const std::vector<float>& x, std::int64_t block) {
  // TODO: for each block: 1 its scale, 2 every number divided by it, as FP4, 3 times the scale.
  // 待办：对每一块：1 求缩放因子；2 每个数除以它，存成 FP4；3 再乘回去。
  not_done_yet("02_floating_point/fp4_block_quantize");
}

}  // namespace my
