// What a rule of rules/elementwise.h is made of, beside its operator().
#pragma once
#include <cstdint>
#include <type_traits>

#include "common/core/config.h"
#include "common/tensor/rules/op.h"

namespace napkin {

// What the result is.
enum class Kind : std::uint8_t {
  same,        // of the operands' common dtype
  real,        // that too; integers and bool become fp32 first
  comparison,  // bool
};

// The operation, its kind, how many operands, FLOPs per element.
template <Op operation, Kind result, int inputs, int work>
struct ElementwiseRule {
  static constexpr Op op = operation;
  static constexpr Kind kind = result;
  static constexpr int operands = inputs, flops = work;
  // With bf16 and fp16, this operand stays FP32 where it is a number, or (keeps_single) has one
  // element, instead of being rounded first: PyTorch does so in some operations.
  static constexpr int kept = -1;
  static constexpr bool keeps_single = false;
  // The first operand is a bool tensor without a say in the common dtype.
  static constexpr bool has_condition = false;
};

// Sums, differences and products of int64 wrap around, which only unsigned numbers may in C++.
template <class T>
using Wrapping = std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>;

template <class... Rules>
struct RuleList {
  static constexpr int size = sizeof...(Rules);
};

template <class... A, class... B>
constexpr RuleList<A..., B...> operator+(RuleList<A...>, RuleList<B...>) {
  return {};
}

// The place of a rule in a list.
template <class Rule, class... Rules>
constexpr int rule_number(RuleList<Rules...>) {
  int number = 0, found = -1;
  ((std::is_same_v<Rule, Rules> ? found = number : number++), ...);
  return found;
}

}  // namespace napkin
