#include "common/tensor/cuda/elementwise/elementwise_launch.h"
#include "common/tensor/cuda/engine.cuh"

namespace napkin::cuda {

void run_packets_fp32(const ElementwisePlan& plan) {
  run_packets<float>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::cuda
