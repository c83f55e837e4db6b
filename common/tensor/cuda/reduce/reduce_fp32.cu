#include "common/tensor/cuda/engine.cuh"
#include "common/tensor/cuda/reduce/reduce_plan.h"

namespace napkin::cuda {

void reduce_fp32(const Tensor& result, const Tensor& x, const ReduceTask& reduction) {
  reduce_by_number<float>(GpuEngine{}, result, x, reduction, ReductionRules{});
}

void place_fp32(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
                bool largest) {
  place_with<float>(GpuEngine{}, result, x, order, is_reduced, largest);
}

}  // namespace napkin::cuda
