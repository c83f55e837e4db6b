// Products of matrices on the CPU: c = alpha a b + beta c, for matrices found by strides.
//
// Every element of c is one chain of fused multiply-adds over k, from first to last (fp32, bf16 and
// fp16 in FP32, fp64 in FP64, integers modulo 2^64), rounded to its dtype once. What threads, tiles
// and batches do never shows in the bits, nor does AVX-512 against AVX2; the baseline of x86 has no
// fused instruction and rounds the product, too. Chains against a single column or row run in 32
// lanes where the elements of one chain stand side by side; their order is as fixed.
#pragma once
#include "common/tensor/rules/matrices.h"

namespace napkin::cpu {

void multiply(const MatrixProduct& product, const Batches& batches = {});

}  // namespace napkin::cpu
