// Exercise 03.3: KV heads repeated for groups of query heads (lecture 4.2).
// Edit my/03_einops/repeat_kv_heads.h only. Check: ./lecture grade repeat_kv_heads
#pragma once
#include "common/einops/einops.h"  // repeat(x, "a -> a copies", {{"copies", 3}})
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// k (batch, kv, seq, d) -> (batch, kv * g, seq, d): g query heads that follow one another share one
// KV head, so that head i of the result is KV head i / g.
//
// 题目：k (batch, kv, seq, d) -> (batch, kv * g, seq, d)：相邻的 g 个查询头共用一个 KV 头，
// 即结果的第 i 个头是第 i / g 个 KV 头。
inline Tensor repeat_kv_heads(const Tensor& k, std::int64_t g) {
  // TODO: remove the next line, then write the pattern.
  // 待办：删掉下一行，再写出模式。
  not_done_yet("03_einops/repeat_kv_heads");
  return repeat(k, "", {{"g", g}});
}

}  // namespace my
