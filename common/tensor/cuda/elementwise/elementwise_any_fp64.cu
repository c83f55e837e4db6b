#include "common/tensor/cuda/elementwise/elementwise_launch.h"
#include "common/tensor/cuda/engine.cuh"

namespace napkin::cuda {

void run_any_fp64(const ElementwisePlan& plan) {
  run_any<double>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::cuda
