// The elementwise operations, one scalar at a time: one rule for CPU and GPU.
//
// A rule is computed in double (fp64), float (fp32, bf16, fp16: the result is rounded once) or
// int64 (integers and bool: the result is cut to the dtype, so that sums and products wrap around
// as PyTorch's do). Where PyTorch's vector code fuses, a rule says std::fma; nothing else is fused.
//
// A new operation is a struct in one of the three files, its name in that file's list, and a
// function in operations/elementwise.h.
#pragma once
#include "common/tensor/rules/arithmetic.h"
#include "common/tensor/rules/functions.h"
#include "common/tensor/rules/selection.h"

namespace napkin {

using ElementwiseRules = decltype(ArithmeticRules{} + FunctionRules{} + SelectionRules{});

// What the tables need to know of a rule: ElementwiseRule's constants, and its place in the list,
// which is its number in tables of loops and of kernels.
struct RuleInfo {
  int number;
  Op op;
  Kind kind;
  int operands, flops;
  int kept;
  bool keeps_single, has_condition;
};

template <class Rule>
constexpr RuleInfo rule_info = {rule_number<Rule>(ElementwiseRules{}),
                                Rule::op,
                                Rule::kind,
                                Rule::operands,
                                Rule::flops,
                                Rule::kept,
                                Rule::keeps_single,
                                Rule::has_condition};

}  // namespace napkin
