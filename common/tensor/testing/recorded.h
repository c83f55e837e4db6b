// For the tests: what PyTorch made of views and printed for tensors, as recorded in
// reference/golden. The JSON library is slow to compile: only recorded.cpp sees it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin::recorded {

using Numbers = std::vector<std::int64_t>;

// A view and its arguments: {"select", {{0, 1}}}, {"as_strided", {shape, strides, {offset}}}.
struct Step {
  std::string name;
  std::vector<Numbers> arguments;
};

Tensor apply(const Tensor& x, const Step& step);
std::string to_string(const std::vector<Step>& steps);

struct View {
  Numbers shape, strides;
  std::int64_t offset;
  bool contiguous, dense, shares;  // shares: the storage of the tensor it was made of
  Numbers like;                    // strides of empty_like
  Numbers data;                    // the elements in row-major order
};

struct Chain {
  Numbers shape;
  std::vector<Step> steps;
  std::optional<View> result;  // none where the last step was refused
};

std::vector<Chain> views();

struct Printed {
  DType dtype;
  Device device;
  Numbers shape;
  std::vector<double> values;
  std::vector<Step> steps;
  std::string text;
};

std::vector<Printed> printing();

struct Range {
  DType dtype;
  Scalar start, end, step;
  std::optional<std::vector<Scalar>> numbers;  // none where it was refused
};

std::vector<Range> ranges();

Shape dims(const Numbers& numbers);

}  // namespace napkin::recorded
