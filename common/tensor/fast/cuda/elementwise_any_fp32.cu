#include "common/tensor/fast/cuda/elementwise_launch.h"
#include "common/tensor/fast/cuda/engine.cuh"

namespace napkin::fast::cuda {

void run_any_fp32(const ElementwisePlan& plan) {
  run_any<float>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::fast::cuda
