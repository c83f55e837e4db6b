#include "common/tensor/cuda/sort/sort.h"

#include "common/tensor/cuda/sort/sort_engine.cuh"
#include "common/tensor/cuda/sort/sort_plan.h"

namespace napkin::cuda {

void sort(const Sorted& to, const Tensor& x, int dim, bool descending) {
  sort_with(SortEngine{}, to, x, dim, descending);
}

}  // namespace napkin::cuda
