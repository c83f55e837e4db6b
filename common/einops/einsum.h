// Sums of products by the names of axes (lecture 4.2): an axis that is on the left and not on the
// right is summed over.
//
//   einsum(query, key, "b h q d, b h k d -> b h q k")
//
// Any number of operands, "...", and axes twice in one operand (its diagonal), as einops 0.8.2 with
// PyTorch. What is summed over in one operand alone is summed first; then pairs are contracted in
// the order of fewest FLOPs (the best one up to 8 operands, a greedy one beyond), each by one
// batched matrix product on views, or by a multiplication where nothing is summed. Operands are
// copied only where their axes cannot be the rows or columns of a matrix. An axis of size 1 in one
// operand goes with any size in another, as in PyTorch.
//
// Integers are exact modulo 2^bits of their type. Where one operand is summed over alone, which
// makes int64 of integers, the others and the result become int64 too: PyTorch's answers, but for
// what it refuses there (a matrix product of int64 and int32) or takes modulo 2^bits in between.
//
// All operands are on one device and have one dtype, which matmul takes; an Autocast scope casts as
// PyTorch does: all operands on CUDA, those of matrix products on the CPU. An axis that occurs once
// and is summed over, beside other operands, is often misspelt: einsum warns of it (core/warning.h)
// once for each pattern. Who means it reduces that operand first.
#pragma once
#include <initializer_list>
#include <span>
#include <string_view>

#include "common/tensor/tensor.h"

namespace napkin {

// Where an operand stands, so that {a, b, c, d} copies none.
struct EinsumOperand {
  EinsumOperand(const Tensor& x) : tensor(&x) {}
  const Tensor* tensor;
};

Tensor einsum(std::initializer_list<EinsumOperand> operands, std::string_view pattern);
Tensor einsum(std::span<const Tensor> operands, std::string_view pattern);
inline Tensor einsum(const Tensor& x, std::string_view pattern) {
  return einsum({EinsumOperand(x)}, pattern);
}
inline Tensor einsum(const Tensor& x, const Tensor& y, std::string_view pattern) {
  return einsum({x, y}, pattern);
}
inline Tensor einsum(const Tensor& x, const Tensor& y, const Tensor& z, std::string_view pattern) {
  return einsum({x, y, z}, pattern);
}

}  // namespace napkin
