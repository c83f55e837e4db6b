#include "common/tensor/cuda/elementwise/elementwise_launch.h"
#include "common/tensor/cuda/engine.cuh"

namespace napkin::cuda {

void run_any_fp32(const ElementwisePlan& plan) {
  run_any<float>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::cuda
