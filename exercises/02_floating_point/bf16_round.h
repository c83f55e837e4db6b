// Exercise 02.1: from FP32 to BF16 (lecture 3.3).
// Edit my/02_floating_point/bf16_round.h only. Check: ./lecture grade bf16_round
#pragma once
#include <bit>  // std::bit_cast<std::uint32_t>(x): the 32 bits of a float
#include <cstdint>

#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// The 16 bits of the BF16 number nearest to x. BF16 is the upper half of FP32: 1 sign bit, 8
// exponent bits, 7 mantissa bits. Halfway between two numbers the one whose last bit is 0 is taken
// (ties to even). What is rounded past the largest number becomes infinity, 0x7F80, or -infinity,
// 0xFF80. NaN stays NaN: any bits of one will do, that is exponent bits all 1 and a mantissa that
// is not 0.
//
// 题目：离 x 最近的 BF16 数的 16 个比特。BF16 就是 FP32 的前一半：1 位符号、8 位指数、7 位尾数。
// 正好在两数中间时，取末位为 0 的那个（居中取偶）。舍入后超过最大的数，
// 就成为无穷大 0x7F80 或负无穷大 0xFF80。NaN 仍是 NaN：比特随意，只要指数位全为 1、尾数不为 0。
inline std::uint16_t bf16_round(float x) {
  // TODO: 1 NaN, 2 the upper half, 3 one more where the lower half asks for it.
  // 待办：1 NaN；2 前一半；3 后一半要求进位时，加 1。
  not_done_yet("02_floating_point/bf16_round");
}

}  // namespace my
