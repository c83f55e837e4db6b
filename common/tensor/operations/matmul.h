// Matrix products, as torch.matmul: 2 m n k FLOPs for (m, k) by (k, n) (lecture 4.2).
//
//   a            b            result
//   (k)          (k)          ()              a sum of products
//   (m, k)       (k)          (m)
//   (k)          (k, n)       (n)
//   (..., m, k)  (..., k, n)  (..., m, n)     leading sizes broadcast, with a vector, too
//
// Both operands have one dtype. fp32, bf16 and fp16 are added up in FP32 and rounded once at the
// end, fp64 in FP64, integers modulo 2^bits. Against the exact sum of k products an element is off
// by at most k / (1 - k u) u sum |a| |b|, u = 2^-24 (2^-53 for fp64), and the last rounding. On the
// CPU each element is one chain of fused multiply-adds in the order of k (32 chains side by side
// where one operand is a single column or row): the same bits at any number of threads, in any
// batch, on any processor with fused multiply-adds. Transposed operands and rows with gaps are read
// where they stand; an operand without a stride of 1 is copied first. uint16 has products here, but
// not in PyTorch.
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

Tensor matmul(const Tensor& a, const Tensor& b);

// result = alpha a b + beta result, which is not read where beta is 0. The result has the product's
// shape and any strides; an operand that shares its memory is copied first. For integers
// alpha and beta are whole numbers.
void matmul_into(Tensor& result, const Tensor& a, const Tensor& b, double alpha = 1,
                 double beta = 0);

}  // namespace napkin
