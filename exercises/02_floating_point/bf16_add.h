// Exercise 02.2: an addition in BF16 (lecture 3.3, exercise 3).
// Edit my/02_floating_point/bf16_add.h only. Check: ./lecture grade bf16_add
#pragma once
// BFloat16(x) is the float x rounded to BF16, static_cast<float>(b) its number.
#include "common/numeric/small_float.h"
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// The sum of a and b as BF16 has it: both become BF16 numbers, and their sum is one again. The
// number is given as a float, which every BF16 number is.
//
// 题目：BF16 中 a 与 b 的和：两者先变成 BF16 数，它们的和也再变成 BF16 数。结果以 float 给出，
// 每个 BF16 数都是 float。
inline float bf16_add(float a, float b) {
  // TODO: round wherever BF16 would have to hold a number.
  // 待办：凡是 BF16 必须存下一个数的地方，就舍入一次。
  not_done_yet("02_floating_point/bf16_add");
}

}  // namespace my
