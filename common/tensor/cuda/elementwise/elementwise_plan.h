// What an elementwise operation asks of a kernel, before it is known which.
#pragma once
#include "common/tensor/cpu/walk.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/rules/operands.h"

namespace napkin::cuda {

struct PlannedOperand {
  const std::byte* data = nullptr;  // null: a number
  DType dtype, through;             // as in Source (elementwise_kernels.h)
  alignas(8) std::byte number[8];   // of the compute type
};

struct ElementwisePlan {
  int rule, operands;  // number of the rule, and how many operands it has
  DType common, compute;
  DType dtype;  // of the result
  std::byte* result;
  Walk walk;  // the result, then the operands; numbers have strides of 0
  PlannedOperand inputs[most_inputs];
  bool takes_packets;  // ElementwisePackets will do, else Elementwise
};

// For a result with elements. A tensor that is not on the result's device is a number.
ElementwisePlan plan_elementwise(const RuleInfo& rule, const Tensor& result, Inputs inputs,
                                 DType common);

// Whether operand k (0: the result) stands side by side along the walk's first dimension.
inline bool is_along(const ElementwisePlan& plan, int k) {
  return plan.walk.strides[static_cast<std::size_t>(k)][0] == 1;
}

// The kernels, on the GPU: each is compiled in a file of its own.
void run_packets_fp32(const ElementwisePlan& plan);
void run_packets_bf16(const ElementwisePlan& plan);
void run_packets_fp16(const ElementwisePlan& plan);
void run_any_fp64(const ElementwisePlan& plan);
void run_any_fp32(const ElementwisePlan& plan);
void run_any_int64(const ElementwisePlan& plan);

}  // namespace napkin::cuda
