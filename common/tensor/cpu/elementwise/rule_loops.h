// The elementwise rules of one list in loops, for every instruction set. A .cpp file for each list
// says NAPKIN_RULES and NAPKIN_LOOPS, the name of the function in loops.h, and includes this;
// foreach_target.h then includes it once for each instruction set, each time with another namespace
// and other compiler options.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/elementwise/rule_loops.h"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/tensor/rules/elementwise.h"
#include "common/tensor/cpu/independent.h"
#include "common/tensor/cpu/elementwise/loops.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// 64 bytes from an array to a cache line of memory.
HWY_INLINE void stream_line(void* to, const void* from) {
#if HWY_TARGET == HWY_SCALAR
  std::memcpy(to, from, 64);
#else
  const hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 64> d;
  auto* t = static_cast<std::uint8_t*>(to);
  auto* f = static_cast<const std::uint8_t*>(from);
  for (std::size_t i = 0; i < 64; i += hwy::HWY_NAMESPACE::Lanes(d))
    hwy::HWY_NAMESPACE::Stream(hwy::HWY_NAMESPACE::Load(d, f + i), d, t + i);
#endif
}

// A rule's operands, as unbroken arrays.
template <class Rule, class T>
struct Arrays {
  explicit Arrays(const void* const* operands) {
    for (int k = 0; k < Rule::operands; ++k) of[k] = operands[k];
  }
  HWY_INLINE T at(int k, std::int64_t i) const { return static_cast<const T*>(of[k])[i]; }
  HWY_INLINE bool is_set(std::int64_t i) const {
    return static_cast<const std::uint8_t*>(of[0])[i] != 0;
  }
  // One element of the result.
  HWY_INLINE auto result(std::int64_t i) const {
    if constexpr (Rule::has_condition)
      return Rule{}(is_set(i), at(1, i), at(2, i));
    else if constexpr (Rule::operands == 1)
      return Rule{}(at(0, i));
    else if constexpr (Rule::operands == 2)
      return Rule{}(at(0, i), at(1, i));
    else if constexpr (Rule::operands == 3)
      return Rule{}(at(0, i), at(1, i), at(2, i));
    else
      return Rule{}(at(0, i), at(1, i), at(2, i), at(3, i));
  }
  const void* of[Rule::operands];
};

// Everything that is called in a loop becomes part of it: the baseline's code would not do.
#undef NAPKIN_LOOP
#define NAPKIN_LOOP __attribute__((flatten))

template <class Rule, class T>
NAPKIN_LOOP void loop(void* result, const void* const* operands, std::int64_t count) {
  const Arrays<Rule, T> a(operands);
  auto* r = static_cast<decltype(a.result(0))*>(result);
  NAPKIN_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) r[i] = a.result(i);
}

// The same past the caches, some cache lines at a time; `result` starts a cache line and count
// fills whole ones.
template <class Rule, class T>
NAPKIN_LOOP void streaming_loop(void* result, const void* const* operands, std::int64_t count) {
  const Arrays<Rule, T> a(operands);
  using Result = decltype(a.result(0));
  constexpr std::int64_t per_line = 64 / sizeof(Result), most = 4 * per_line;
  auto* r = static_cast<Result*>(result);
  for (std::int64_t i = 0; i < count; i += most) {
    alignas(64) Result lines[most];
    const std::int64_t n = std::min(most, count - i);
    for (std::int64_t k = 0; k < n; ++k) lines[k] = a.result(i + k);
    for (std::int64_t k = 0; k < n; k += per_line) stream_line(r + i + k, lines + k);
  }
}

// One rule's loops for a compute type. Streamed are FP32 results of rules that take less time than
// memory does.
template <class Rule, bool light>
Loops find_rule(DType compute) {
  if (compute == DType::fp64) return {loop<Rule, double>, nullptr};
  if (compute == DType::fp32) {
    if constexpr (light && Rule::kind != Kind::comparison)
      return {loop<Rule, float>, streaming_loop<Rule, float>};
    else
      return {loop<Rule, float>, nullptr};
  }
  if constexpr (Rule::kind == Kind::real)
    return {};
  else
    return {loop<Rule, std::int64_t>, nullptr};
}

template <class... Rules>
Loops find_in(RuleList<Rules...>, int number, DType compute) {
  constexpr bool light = !std::is_same_v<RuleList<Rules...>, FunctionRules>;
  using Find = Loops (*)(DType);
  static constexpr Find finds[] = {find_rule<Rules, light>...};
  return finds[number](compute);
}

static Loops find_loops(int number, DType compute) {
  return find_in(NAPKIN_RULES{}, number, compute);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_loops);
Loops NAPKIN_LOOPS(int number, DType compute) {
  return HWY_DYNAMIC_DISPATCH(find_loops)(number, compute);
}

}  // namespace napkin::cpu
#endif
