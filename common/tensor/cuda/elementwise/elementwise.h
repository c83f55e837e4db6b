// Elementwise operations on the GPU. They return at once; the work is in the stream.
#pragma once
#include "common/tensor/rules/operands.h"

namespace napkin::cuda {

// As run (cpu/elementwise/elementwise.h), for tensors on cuda; the result has elements.
void run(const RuleInfo& rule, const Tensor& result, Inputs inputs, DType common);

}  // namespace napkin::cuda
