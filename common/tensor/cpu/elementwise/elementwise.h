// The CPU loop of all elementwise operations.
#pragma once
#include "common/tensor/rules/operands.h"

namespace napkin::cpu {

// Result and inputs are on the CPU, shapes broadcast to the result's; inputs are converted to
// `common`, the rule computes in its compute type. `fresh`: nobody reads the result's memory
// meanwhile.
void run(const RuleInfo& rule, const Tensor& result, Inputs inputs, DType common, bool fresh);

}  // namespace napkin::cpu
