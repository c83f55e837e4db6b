// Tensors worked out index by index: what the checks of this lesson compare with. No operation that
// an answer may use has a part in them.
#pragma once
#include <cstdint>
#include <vector>

#include "common/tensor/create.h"
#include "common/tensor/random/generator.h"
#include "common/tensor/random/random.h"
#include "common/tensor/tensor.h"

namespace napkin::exercises {

inline std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

// A new tensor with value(index) at every index.
template <class Value>
Tensor by_index(const Shape& shape, const Value& value) {
  std::vector<float> values;
  Dims at(shape.size(), 0);
  for (std::int64_t left = count_of(shape); left > 0; --left) {
    values.push_back(static_cast<float>(value(at)));
    for (int d = shape.size() - 1; d >= 0 && ++at[d] == shape[d]; --d) at[d] = 0;
  }
  return from_data(values, shape);
}

inline double number(const Tensor& x, const Dims& at) { return x.at(at).to_double(); }

// 0, 1, 2, ...: every number says where it came from.
inline Tensor counting(const Shape& shape) {
  return arange(count_of(shape), {.dtype = DType::fp32}).view(shape);
}

// The same numbers in a random order.
inline Tensor shuffled(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return randperm(count_of(shape), {.dtype = DType::fp32}, generator).view(shape);
}

// Whole numbers from -4 to 4, whose sums of products are exact in any order.
inline Tensor small_numbers(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return randint(-4, 5, shape, {.dtype = DType::fp32}, generator);
}

}  // namespace napkin::exercises
