// Exercise 99.1: twice a number (lecture 9.1).
// Edit my/99_frame/twice.h only. Check: ./lecture grade twice
#pragma once
#include "exercises/grading/not_done_yet.h"

namespace my {

// Twice n.
//
// 题目：n 的两倍。
inline int twice(int n) {
  // TODO: one product.
  // 待办：一次乘法。
  not_done_yet("99_frame/twice");
}

}  // namespace my
