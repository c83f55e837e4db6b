// New tensors: uninitialised, constant, counting, from data. Names follow PyTorch.
// All refuse negative or overflowing sizes, and cuda where there is no device.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin {

struct Options {
  DType dtype = DType::fp32;
  Device device = Device::cpu;
  Category category = Category::other;
};

Tensor empty(const Shape& shape, Options options = {});
// With strides of your own, from offset 0; they must stay within the shape's number of elements.
Tensor empty_strided(const Shape& shape, const Strides& strides, Options options = {});
Tensor zeros(const Shape& shape, Options options = {});
Tensor ones(const Shape& shape, Options options = {});
Tensor full(const Shape& shape, Scalar value, Options options = {});
// Same shape, dtype and device, and the same order in memory: strides_like of layout.h.
Tensor empty_like(const Tensor& other);

// 0, 1, ... below end.
Tensor arange(Scalar end, Options options = {.dtype = DType::int64});
// start, start + step, ... on this side of end, each worked out as start + i step. The dtype is not
// guessed from the numbers: fractions with an integer dtype are refused.
Tensor arange(Scalar start, Scalar end, Scalar step, Options options = {.dtype = DType::int64});

// A tensor of the given elements in row-major order; refuses a count other than the shape's.
template <class T>
Tensor from_data(std::span<const T> values, const Shape& shape);
template <class T>
Tensor from_data(const std::vector<T>& values, const Shape& shape) {
  return from_data(std::span<const T>(values), shape);
}
template <class T>
Tensor from_data(std::initializer_list<T> values) {
  return from_data(std::span<const T>(values.begin(), values.size()),
                   {static_cast<std::int64_t>(values.size())});
}
// A 0-dimensional tensor: fp32 for a floating number, int64 for an integer, bool for a bool.
Tensor scalar_tensor(Scalar value);

}  // namespace napkin
