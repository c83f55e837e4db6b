// For the tests: operations as PyTorch did them, recorded by the scripts under reference/;
// recording.py describes the lines.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "common/tensor/tensor.h"

namespace napkin::recorded {

// Nothing (None), a tensor, several, a number, a list of integers, a word.
using Argument =
    std::variant<std::monostate, Tensor, std::vector<Tensor>, Scalar, Dims, std::string>;

struct Result {
  Tensor elements;  // row-major; of an operation in place: the whole storage afterwards
  Shape shape;
  Strides strides;
};

struct Case {
  std::string text;  // the line
  std::string operation;
  std::vector<Argument> arguments;
  bool refused = false;
  std::vector<Result> results;

  template <class T>
  const T& get(std::size_t k) const {
    return std::get<T>(arguments.at(k));
  }
  template <class T>
  bool is(std::size_t k) const {
    return k < arguments.size() && std::holds_alternative<T>(arguments[k]);
  }
  const Tensor& tensor(std::size_t k) const { return get<Tensor>(k); }
  const Scalar& number(std::size_t k) const { return get<Scalar>(k); }
  int integer(std::size_t k) const { return static_cast<int>(number(k).to_int64()); }
};

// The cases of golden/FILE.safetensors with those operations, or all where none is named. Each has
// storages of its own.
std::vector<Case> cases(const std::string& file, const std::vector<std::string>& operations = {});

// What differs between two tensors, as a sentence; empty where dtype, shape and bits are equal. All
// NaN count as equal.
std::string difference(const Tensor& got, const Tensor& want);

// What an operation gives: one tensor, or several.
struct Results : std::vector<Tensor> {
  Results(const Tensor& one) : std::vector<Tensor>{one} {}
  Results(std::vector<Tensor> several) : std::vector<Tensor>(std::move(several)) {}
};
using Operations = std::map<std::string, std::function<Results(const Case&)>>;

// Runs every recorded case of these operations: results must have PyTorch's bits, shapes, dtypes
// and strides (but for tensors without elements, and not where `strides` is false); refused ones
// must throw Error and leave their first argument as it was. In place, the operation's result is
// its first argument.
struct Verdict {
  int checked = 0;
  std::vector<std::string> wrong;  // line, then what differs; at most ten
};
Verdict compare(const std::string& file, const Operations& operations, bool strides = true);

}  // namespace napkin::recorded
