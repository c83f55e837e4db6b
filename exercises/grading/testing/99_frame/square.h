// Exercise 99.4: the square of a number (lecture 9.4).
// Edit my/99_frame/square.h only. Check: ./lecture grade square
#pragma once
#include "exercises/grading/not_done_yet.h"

namespace my {

// n times n.
//
// 题目：n 乘以 n。
inline int square(int n) {
  // TODO: one product.
  // 待办：一次乘法。
  not_done_yet("99_frame/square");
}

}  // namespace my
