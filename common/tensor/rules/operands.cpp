// The dtype of an operation on several operands: torch.result_type.
#include "common/tensor/rules/operands.h"

namespace napkin {
namespace {

enum class Rank { boolean, integer, floating };

Rank rank_of(DType d) {
  if (d == DType::boolean) return Rank::boolean;
  return is_floating(d) ? Rank::floating : Rank::integer;
}

std::optional<DType> promote_known(std::optional<DType> a, std::optional<DType> b) {
  return a && b ? promote(*a, *b) : a ? a : b;
}

// Of two groups of operands the first decides, unless the second is of a higher kind.
std::optional<DType> combine(std::optional<DType> first, std::optional<DType> second) {
  if (!first || !second) return first ? first : second;
  if (rank_of(*first) < rank_of(*second) || rank_of(*first) == Rank::boolean)
    return promote(*first, *second);
  return first;
}

DType number_type(Scalar s) {
  return s.is_bool() ? DType::boolean : s.is_integer() ? DType::int64 : DType::fp32;
}

}  // namespace

DType result_type(std::span<const Input> inputs) {
  std::optional<DType> dimensioned, zero_dimensional, numbers;
  for (const Input& input : inputs)
    if (input.is_parameter)
      continue;
    else if (input.tensor == nullptr)
      numbers = promote_known(numbers, number_type(input.number));
    else if (input.tensor->rank() > 0)
      dimensioned = promote_known(dimensioned, input.tensor->dtype());
    else
      zero_dimensional = promote_known(zero_dimensional, input.tensor->dtype());
  return *combine(dimensioned, combine(zero_dimensional, numbers));
}

DType rounded_to(const RuleInfo& rule, int k, const Input& input, DType common) {
  if (rule.has_condition && k == 0) return DType::boolean;
  const bool is_half = common == DType::bf16 || common == DType::fp16;
  const bool kept = input.tensor == nullptr || (rule.keeps_single && input.tensor->numel() == 1);
  return is_half && kept && k == rule.kept ? DType::fp32 : common;
}

DType result_type(const Tensor& a, const Tensor& b) {
  const Input inputs[] = {a, b};
  return result_type(inputs);
}

DType result_type(const Tensor& a, Scalar b) {
  const Input inputs[] = {a, b};
  return result_type(inputs);
}

}  // namespace napkin
