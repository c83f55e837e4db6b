#include "common/tensor/fast/cuda/sort.h"

#include "common/tensor/fast/cuda/sort_engine.cuh"
#include "common/tensor/fast/cuda/sort_plan.h"

namespace napkin::fast::cuda {

void sort(const Sorted& to, const Tensor& x, int dim, bool descending) {
  sort_with(SortEngine{}, to, x, dim, descending);
}

}  // namespace napkin::fast::cuda
