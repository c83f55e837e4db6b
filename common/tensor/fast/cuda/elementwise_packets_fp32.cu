#include "common/tensor/fast/cuda/elementwise_launch.h"
#include "common/tensor/fast/cuda/engine.cuh"

namespace napkin::fast::cuda {

void run_packets_fp32(const ElementwisePlan& plan) {
  run_packets<float>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::fast::cuda
