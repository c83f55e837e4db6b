// The rules of function_rules.h in a loop, for every instruction set (rule_loops.h).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/elementwise/function_loops.cpp"
#include <hwy/foreach_target.h>

#include "common/tensor/cpu/elementwise/rule_loops.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

Loops find_function(int number, DType compute) {
  return find_in<false>(FunctionRules{}, number, compute);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_function);
Loops function_loops(int number, DType compute) {
  return HWY_DYNAMIC_DISPATCH(find_function)(number, compute);
}

}  // namespace napkin::cpu
#endif
