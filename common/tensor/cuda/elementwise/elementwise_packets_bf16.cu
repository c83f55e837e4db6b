#include "common/tensor/cuda/elementwise/elementwise_launch.h"
#include "common/tensor/cuda/engine.cuh"

namespace napkin::cuda {

void run_packets_bf16(const ElementwisePlan& plan) {
  run_packets<BFloat16>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::cuda
