// For the tests: operations as PyTorch did them, recorded by reference/elementwise.py, which
// describes the lines.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin::recorded {

struct Case {
  std::string text;  // the line
  std::string operation;
  std::vector<std::variant<Tensor, Scalar>> operands;
  std::optional<DType> to;  // of "to"
  Dims over;                // of "sum"
  bool keep = false;        // of "sum"
  bool refused = false;     // else:
  Tensor elements;          // row-major; of an operation in place: the whole storage afterwards
  Shape shape;
  Strides strides;

  const Tensor& tensor(std::size_t k) const { return std::get<Tensor>(operands.at(k)); }
};

// The cases of some operations, or of all where none is named. Each has storages of its own.
std::vector<Case> elementwise_cases(const std::vector<std::string>& operations);

// What differs between two tensors of equal shape, as a sentence; empty where dtype and bits are
// equal. All NaN count as equal.
std::string difference(const Tensor& got, const Tensor& want);

// The operation of the case on its operands; of one in place, the first operand's storage as a
// strip.
Tensor run(const Case& c);

}  // namespace napkin::recorded
