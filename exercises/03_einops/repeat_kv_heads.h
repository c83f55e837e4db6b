// Exercise 03.3: KV heads repeated for groups of query heads (lecture 4.2).
// Edit my/03_einops/repeat_kv_heads.h only. Check: ./lecture grade repeat_kv_heads
#pragma once
#include "common/einops/einops.h"  // repeat(x, "a -> a copies", {{"copies", 3}})
#include "exercises/grading/not_done_yet.h"

using namespace napkin;

namespace my {

// k (batch, kv, seq, d) -> (batch, kv * g, seq, d): g query heads that follow one another share one
// KV head, so that head i of the result is KV head i / g.
inline Tensor repeat_kv_heads(const Tensor& k, std::int64_t g) {
  // TODO: remove the next line, then write the pattern.
  not_done_yet("03_einops/repeat_kv_heads");
  return repeat(k, "", {{"g", g}});
}

}  // namespace my
