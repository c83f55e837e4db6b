// Tensor operations by the names of axes (lecture 4.2), as einops 0.8.2 has them:
//
//   rearrange(x, "b s (h d) -> b h s d", {{"h", 8}})   split, transpose, merge
//   reduce(x, "b s d -> b d", Reduction::mean)         what is not on the right is reduced
//   repeat(k, "b kv s d -> b (kv g) s d", {{"g", 4}})  what is not on the left is repeated
//
// Results are views wherever strides allow: a repeated axis has stride 0 and is copied only where
// it must merge with another. Errors say the pattern, the shape and the sizes, then the reason.
// Beyond einops: sizes below 0, and a size of 0 that would be divided by, are refused.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "common/einops/apply.h"
#include "common/tensor/tensor.h"

namespace napkin {

Tensor rearrange(const Tensor& x, std::string_view pattern, AxisSizes sizes = {});
Tensor reduce(const Tensor& x, std::string_view pattern, Reduction how, AxisSizes sizes = {});
Tensor repeat(const Tensor& x, std::string_view pattern, AxisSizes sizes = {});

// Sizes by name: parse_shape(x, "batch _ seq") of shape [2, 3, 4] is batch 2, seq 4.
std::vector<std::pair<std::string, std::int64_t>> parse_shape(const Tensor& x,
                                                              std::string_view pattern);

// "sum", "mean", "max", "min", "prod".
Reduction reduction_named(std::string_view name);

}  // namespace napkin
