// The rules of elementwise_rules.h in a loop, for every instruction set. foreach_target.h includes
// this file once for each of them, with another namespace and other compiler options.
#include <cstdint>

#include "common/tensor/elementwise_rules.h"
#include "common/tensor/fast/loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/elementwise_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/fast/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {

template <class Rule, class T>
void loop(void* result, const void* const* operands, std::int64_t count) {
  const T* a = static_cast<const T*>(operands[0]);
  if constexpr (Rule::operands == 1) {
    auto* r = static_cast<decltype(Rule{}(T{}))*>(result);
    NAPKIN_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) r[i] = Rule{}(a[i]);
  } else if constexpr (Rule::operands == 2) {
    auto* r = static_cast<decltype(Rule{}(T{}, T{}))*>(result);
    const T* b = static_cast<const T*>(operands[1]);
    NAPKIN_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) r[i] = Rule{}(a[i], b[i]);
  } else {
    static_assert(Rule::operands == 3);
    auto* r = static_cast<decltype(Rule{}(T{}, T{}, T{}))*>(result);
    const T* b = static_cast<const T*>(operands[1]);
    const T* c = static_cast<const T*>(operands[2]);
    NAPKIN_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) r[i] = Rule{}(a[i], b[i], c[i]);
  }
}

struct Row {  // one rule's loops
  Loop in_double, in_float, in_int64;
};

template <class Rule>
constexpr Row row() {
  if constexpr (Rule::kind == Kind::real)
    return {loop<Rule, double>, loop<Rule, float>, nullptr};
  else
    return {loop<Rule, double>, loop<Rule, float>, loop<Rule, std::int64_t>};
}

template <class... Rules>
Loop find_in(RuleList<Rules...>, int rule_number, DType compute) {
  static constexpr Row rows[] = {row<Rules>()...};
  const Row& r = rows[rule_number];
  return compute == DType::fp64 ? r.in_double : compute == DType::fp32 ? r.in_float : r.in_int64;
}

Loop find(int rule_number, DType compute) {
  return find_in(ElementwiseRules{}, rule_number, compute);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(find);
Loop elementwise_loop(int rule_number, DType compute) {
  return HWY_DYNAMIC_DISPATCH(find)(rule_number, compute);
}

}  // namespace napkin::fast
#endif
