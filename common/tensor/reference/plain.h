// For the tests: tensors as lists of doubles and operations as loops over indices, written to be
// right at a glance. Nothing here knows strides, dtypes, vectors or threads.
#pragma once
#include <functional>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin::plain {

struct Array {
  Shape shape;
  std::vector<double> values;  // row-major
};

Array of(const Tensor& x);

using Unary = std::function<double(double)>;
using Binary = std::function<double(double, double)>;

Array map(const Array& x, const Unary& f);
Array map(const Array& x, const Array& y, const Binary& f);  // broadcast

Array permute(const Array& x, const Dims& order);
Array slice(const Array& x, int d, std::int64_t start, std::int64_t stop, std::int64_t step);
Array index_select(const Array& x, int d, const std::vector<std::int64_t>& index);
Array cat(const Array& x, const Array& y, int d);
Array reshape(const Array& x, const Shape& shape);

// f folds the elements along d, which stays with size 1.
Array fold(const Array& x, int d, double first, const Binary& f);
Array cumsum(const Array& x, int d);
Array softmax(const Array& x, int d);
Array matmul(const Array& x, const Array& y);  // batches broadcast; at least 2 dimensions

}  // namespace napkin::plain
