#include "common/tensor/cuda/reduce/rows.h"

#include "common/tensor/cuda/engine.cuh"
#include "common/tensor/cuda/reduce/row_plan.h"

namespace napkin::cuda {

void run_along(RowOperation operation, const Tensor& result, const Tensor& x, int d) {
  run_along_with(GpuEngine{}, operation, result, x, d);
}

}  // namespace napkin::cuda
