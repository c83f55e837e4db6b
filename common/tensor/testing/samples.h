// For tests and benchmarks: every operation of the table (operations/table.h) called on inputs of any
// size, dtype and device.
#pragma once
#include <functional>
#include <vector>

#include "common/tensor/operations/table.h"
#include "common/tensor/tensor.h"

namespace napkin::samples {

using Call = std::function<std::vector<Tensor>()>;

struct Size {
  std::int64_t rows, columns;
};

// Elements that every operation takes: 0.5 to 1.5 for floating types, 0 to 6 for integers.
Tensor numbers(const Shape& shape, DType dtype, Device device, std::uint64_t seed);

// The operation on matrices of that size, row-major or with their rows in memory order reversed to
// columns. Inputs are made before the call. Where the dtype is not defined, the call is refused.
Call call(Op op, DType dtype, Device device, Size size, bool transposed = false);

}  // namespace napkin::samples
