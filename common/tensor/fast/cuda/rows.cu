#include "common/tensor/fast/cuda/rows.h"

#include "common/tensor/fast/cuda/engine.cuh"
#include "common/tensor/fast/cuda/row_plan.h"

namespace napkin::fast::cuda {

void run_along(RowOperation operation, const Tensor& result, const Tensor& x, int d) {
  run_along_with(GpuEngine{}, operation, result, x, d);
}

}  // namespace napkin::fast::cuda
