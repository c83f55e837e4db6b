// Exercise 03.2: the scores of attention as one pattern (lecture 4.2).
// Edit my/03_einops/attention_scores.h only. Check: ./lecture grade attention_scores
#pragma once
#include "common/einops/einsum.h"  // einsum(a, b, "i, j -> i j")
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// q (batch, heads, q_pos, d), k (batch, heads, k_pos, d) -> (batch, heads, q_pos, k_pos): in each
// head of each example the dot product of every query with every key, not yet divided by sqrt(d).
//
// 题目：q (batch, heads, q_pos, d)、k (batch, heads, k_pos, d) -> (batch, heads, q_pos, k_pos)：
// 在每个样本的每个头中，每个查询与每个键的点积，还没有除以 sqrt(d)。
inline Tensor attention_scores(const Tensor& q, const Tensor& k) {
  // TODO: remove the next line, then write the pattern.
  // 待办：删掉下一行，再写出模式。
  not_done_yet("03_einops/attention_scores");
  return einsum(q, k, "");
}

}  // namespace my
