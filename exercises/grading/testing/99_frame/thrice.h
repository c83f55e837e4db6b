// Exercise 99.2: three times a number (lecture 9.2).
// Edit my/99_frame/thrice.h only. Check: ./lecture grade thrice
#pragma once
#include <cstdint>
#include "exercises/grading/not_done_yet.h"

namespace my {

// Three times n.
//
// 题目：n 的三倍。
inline std::int64_t thrice(std::int64_t n) {
  // TODO: one product.
  // 待办：一次乘法。
  not_done_yet("99_frame/thrice");
}

}  // namespace my
