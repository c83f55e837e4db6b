// The operations by name.
#pragma once
#include <cstdint>

namespace napkin {

enum class Op : std::uint8_t {
  // clang-format off
  add, sub, mul, div, neg, abs, sign, exp, log, sqrt, rsqrt, tanh, sigmoid, relu, gelu,
  clamp, maximum, minimum, eq, ne, lt, le, gt, ge, where, addcmul, lerp,
  sum, mean, prod, max, min, argmax, argmin, var, norm,
  softmax, log_softmax, cumsum,
  matmul,
  index_select, gather, scatter_add, index_add, cat, stack,
  sort, topk,
  copy, fill,
  // clang-format on
};

}  // namespace napkin
