// For tests and benchmarks: every operation of the table (operations/table.h) called on inputs of
// any size, dtype and device.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "common/tensor/operations/table.h"
#include "common/tensor/tensor.h"

namespace napkin::samples {

using Call = std::function<std::vector<Tensor>()>;

struct Size {
  std::int64_t rows, columns;
};

// What operations are called on. The first dimension is named 0, the last one -1, so that x, y and
// z may be 0-dimensional.
struct Inputs {
  Tensor x, y, z;    // (rows, columns)
  Tensor square;     // (columns, rows)
  Tensor condition;  // (rows, columns) of bool
  Tensor index;      // (rows): numbers of rows
  Tensor places;     // (rows, columns): numbers of columns
  Scalar low = 1, high = 2;

  // How many elements topk takes.
  std::int64_t k() const { return x.rank() == 0 ? 1 : std::min<std::int64_t>(5, x.size(-1)); }
};

std::vector<Tensor> run(Op op, const Inputs& inputs);

// Elements that every operation takes: 0.5 to 1.5 for floating types, 0 to 6 for integers.
Tensor numbers(const Shape& shape, DType dtype, Device device, std::uint64_t seed);

// Numbers 0 to limit - 1, each about as often.
Tensor indices(const Shape& shape, std::int64_t limit, Device device, std::uint64_t seed);

// The operation on matrices of that size, row-major or with their rows in memory order reversed to
// columns. Inputs are made before the call. Where the dtype is not defined, the call is refused.
Call call(Op op, DType dtype, Device device, Size size, bool transposed = false);

}  // namespace napkin::samples
