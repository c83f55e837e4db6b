#include "common/tensor/cuda/elementwise/elementwise_launch.h"
#include "common/tensor/cuda/engine.cuh"

namespace napkin::cuda {

void run_packets_fp16(const ElementwisePlan& plan) {
  run_packets<Float16>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::cuda
