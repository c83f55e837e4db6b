#include "common/tensor/cpu/reduce/prepare.h"

#include "common/tensor/rules/reduce.h"

namespace napkin::cpu {
namespace {

template <class Rule, class S>
Preparation preparation_of() {
  using T = typename Rule::template Result<S>;
  return {dtype_of<T>, [](void* to, const void* from, std::int64_t count, double parameter) {
            for (std::int64_t i = 0; i < count; ++i)
              static_cast<T*>(to)[i] = Rule::prepare(static_cast<const S*>(from)[i], parameter);
          }};
}

template <class... Rules>
Preparation find_preparation(RuleList<Rules...>, int rule, bool is_double) {
  Preparation found;
  ((rule == reduction_number<Rules>
        ? found = is_double ? preparation_of<Rules, double>() : preparation_of<Rules, float>()
        : found),
   ...);
  return found;
}

}  // namespace

Preparation preparation(int rule_number, DType elements) {
  using Rare = RuleList<LargestMagnitude, SmallestMagnitude, Magnitudes, NotZero, Powers>;
  return find_preparation(Rare{}, rule_number, elements == DType::fp64);
}

}  // namespace napkin::cpu
