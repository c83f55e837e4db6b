// Operands of elementwise operations: tensors and plain numbers of any shapes and dtypes.
#pragma once
#include <span>

#include "common/tensor/rules/elementwise.h"
#include "common/tensor/tensor.h"

namespace napkin {

// An operand: a tensor or a plain number; or a parameter without a say in the result's dtype, such
// as alpha or a condition.
struct Input {
  const Tensor* tensor = nullptr;
  Scalar number = 0;
  bool is_parameter = false;

  Input() = default;
  Input(const Tensor& t) : tensor(&t) {}
  Input(Scalar s) : number(s) {}
  static Input parameter(Input input) {
    input.is_parameter = true;
    return input;
  }
};
using Inputs = std::span<const Input>;
inline constexpr int most_inputs = 4;

DType result_type(Inputs inputs);

// What the k-th input of a rule is converted to before it is computed with: the common dtype, but
// bool for a condition, and fp32 for an input that a rule keeps (elementwise_rule.h).
DType rounded_to(const RuleInfo& rule, int k, const Input& input, DType common);

}  // namespace napkin
