#include "common/tensor/cuda/elementwise/elementwise.h"

#include "common/tensor/cuda/elementwise/elementwise_plan.h"

namespace napkin::cuda {

void run(const RuleInfo& rule, const Tensor& result, Inputs inputs, DType common) {
  const ElementwisePlan plan = plan_elementwise(rule, result, inputs, common);
  if (plan.takes_packets && common == DType::fp32) return run_packets_fp32(plan);
  if (plan.takes_packets && common == DType::bf16) return run_packets_bf16(plan);
  if (plan.takes_packets) return run_packets_fp16(plan);
  if (plan.compute == DType::fp64) return run_any_fp64(plan);
  if (plan.compute == DType::fp32) return run_any_fp32(plan);
  run_any_int64(plan);
}

}  // namespace napkin::cuda
