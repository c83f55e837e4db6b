// What the elementwise operations are made of: a rule (rules/elementwise.h) applied to tensors and
// numbers of any shapes and dtypes.
#pragma once
#include <initializer_list>

#include "common/tensor/rules/operands.h"

namespace napkin {

// The rule applied to the inputs, as elementwise.h says. On meta the result has a shape only.
Tensor apply(const RuleInfo& rule, std::initializer_list<Input> inputs);

// The same, written into the first input, which must be a tensor. Inputs that overlap it are read
// first.
void apply_in_place(const RuleInfo& rule, std::initializer_list<Input> inputs);

}  // namespace napkin
