// Elementwise operations on the GPU. They return at once; the work is in the stream.
#pragma once
#include "common/tensor/operands.h"

namespace napkin::fast::cuda {

// As run_on_cpu (elementwise_cpu.h), for tensors on cuda; the result has elements.
void run(const RuleInfo& rule, const Tensor& result, Inputs inputs, DType common);

}  // namespace napkin::fast::cuda
