#include "common/tensor/fast/cuda/elementwise_launch.h"
#include "common/tensor/fast/cuda/engine.cuh"

namespace napkin::fast::cuda {

void run_packets_fp16(const ElementwisePlan& plan) {
  run_packets<Float16>(GpuEngine{}, plan, ElementwiseRules{});
}

}  // namespace napkin::fast::cuda
