// Exercise 02.3: how far apart the numbers of a format are (lecture 3.1, 3.3 and 3.4).
// Edit my/02_floating_point/spacing.h only. Check: ./lecture grade spacing
#pragma once
#include <algorithm>  // std::max(a, b)
#include <cmath>      // std::ilogb(x), std::floor, std::log2, std::ldexp(1.0, n) is 2^n

#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// The distance from |x| to the next larger number of a format with so many exponent and mantissa
// bits (BF16: 8 and 7); where x is not in the format itself, the distance of the two numbers that
// |x| lies between. With bias = 2^(exponent_bits - 1) - 1, the format's numbers are
//
//   normal, from 2^(1 - bias) on:   2^(e - bias) 1.mantissa
//   subnormal, below, zero too:     2^(1 - bias) 0.mantissa
//
// x is finite and below the largest number of the format.
//
// 题目：某格式有这么多指数位与尾数位（BF16 是 8 与 7），求从 |x| 到下一个更大的数的距离；
// x 不在格式中时，求 |x| 两侧两个数的距离。偏置 bias = 2^(exponent_bits - 1) - 1，格式中的数见上：
// 从 2^(1 - bias) 起是正规数，以下（包括 0）是次正规数。x 是有限数，小于格式的最大数。
inline double spacing(double x, int exponent_bits, int mantissa_bits) {
  // TODO: 1 the exponent of x, 2 not below that of the smallest normal number, 3 the value of the
  // last bit of the mantissa.
  // 待办：1 x 的指数；2 不低于最小正规数的指数；3 尾数末位的值。
  not_done_yet("02_floating_point/spacing");
}

}  // namespace my
