// Exercise 03.1: find the silent bug (lecture 4.1).
// Edit my/03_einops/split_heads.h only. Check: ./lecture grade split_heads
#pragma once
#include "common/einops/einops.h"  // rearrange(x, pattern, {{"h", heads}})
#include "common/tensor/tensor.h"  // x.view({2, 3, 4}), x.transpose(1, 2), x.size(0)
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// x (batch, seq, heads * dim) -> (batch, heads, seq, dim): of every token the numbers
// h * dim ... h * dim + dim - 1 belong to head h. x need not be contiguous.
//
// 题目：x (batch, seq, heads * dim) -> (batch, heads, seq, dim)：
// 每个词元的第 h * dim 到 h * dim + dim - 1 个数属于头 h。x 不一定连续。
inline Tensor split_heads(const Tensor& x, std::int64_t heads) {
  // TODO: remove the next line, then repair the last one. The shape it gives is right.
  // 待办：删掉下一行，再改正最后一行。它给出的形状是对的。
  not_done_yet("03_einops/split_heads");
  const std::int64_t B = x.size(0), S = x.size(1), H = heads, D = x.size(2) / heads;
  return x.view({B, H, S, D});
}

}  // namespace my
