#include "common/tensor/cuda/reduce/reduce.h"

#include "common/tensor/cuda/engine.cuh"
#include "common/tensor/cuda/reduce/reduce_plan.h"

namespace napkin::cuda {

// reduce_fp32.cu: compiled apart, for the sake of time.
void reduce_fp32(const Tensor& result, const Tensor& x, const ReduceTask& reduction);
void place_fp32(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
                bool largest);

void reduce(const Tensor& result, const Tensor& x, const ReduceTask& reduction) {
  const DType compute = compute_type(x.dtype());
  if (compute == DType::fp32) return reduce_fp32(result, x, reduction);
  if (compute == DType::fp64)
    return reduce_by_number<double>(GpuEngine{}, result, x, reduction, ReductionRules{});
  reduce_by_number<std::int64_t>(GpuEngine{}, result, x, reduction, ReductionRules{});
}

void place(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
           bool largest) {
  const DType compute = compute_type(x.dtype());
  if (compute == DType::fp32) return place_fp32(result, x, order, is_reduced, largest);
  if (compute == DType::fp64)
    return place_with<double>(GpuEngine{}, result, x, order, is_reduced, largest);
  place_with<std::int64_t>(GpuEngine{}, result, x, order, is_reduced, largest);
}

}  // namespace napkin::cuda
