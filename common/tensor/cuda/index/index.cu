#include "common/tensor/cuda/index/index.h"

#include "common/tensor/cuda/index/index_plan.h"
#include "common/tensor/cuda/sort/sort_engine.cuh"

namespace napkin::cuda {

void gather(const char* operation, const Tensor& result, const Tensor& x, int dim,
            const Tensor& index) {
  gather_with(SortEngine{}, result, x, dim, index, gpu::fault_reporter(operation));
}

void scatter_add(const char* operation, const Tensor& x, int dim, const Tensor& index,
                 const Tensor& source, Order order) {
  scatter_add_with(SortEngine{}, x, dim, index, source, order, gpu::fault_reporter(operation));
}

}  // namespace napkin::cuda
