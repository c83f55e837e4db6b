// The result of sorting, on every device (operations/sort.h).
#pragma once
#include "common/tensor/tensor.h"

namespace napkin {

struct Sorted {
  Tensor values, indices;  // indices: int64
};

}  // namespace napkin
