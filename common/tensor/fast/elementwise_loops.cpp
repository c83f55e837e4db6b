// The rules of elementwise_rules.h in a loop, for every instruction set. foreach_target.h includes
// this file once for each of them, with another namespace and other compiler options.
#include <cstdint>
#include <cstring>

#include "common/tensor/elementwise_rules.h"
#include "common/tensor/fast/loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/elementwise_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

#include "common/tensor/fast/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {

// 64 bytes from an array to a line of memory.
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

// One element of the result.
template <class Rule, class T>
HWY_INLINE auto result_at(const T* a, const T* b, const T* c, std::int64_t i) {
  if constexpr (Rule::operands == 1)
    return Rule{}(a[i]);
  else if constexpr (Rule::operands == 2)
    return Rule{}(a[i], b[i]);
  else
    return Rule{}(a[i], b[i], c[i]);
}

template <class Rule, class T>
void loop(void* result, const void* const* operands, std::int64_t count) {
  const auto operand = [&](int k) {
    return k < Rule::operands ? static_cast<const T*>(operands[k]) : nullptr;
  };
  const T *a = operand(0), *b = operand(1), *c = operand(2);
  auto* r = static_cast<decltype(result_at<Rule>(a, b, c, 0))*>(result);
  NAPKIN_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) r[i] = result_at<Rule>(a, b, c, i);
}

// The same past the caches, line by line; `result` starts a line and count fills whole ones.
template <class Rule, class T>
void streaming_loop(void* result, const void* const* operands, std::int64_t count) {
  const auto operand = [&](int k) {
    return k < Rule::operands ? static_cast<const T*>(operands[k]) : nullptr;
  };
  const T *a = operand(0), *b = operand(1), *c = operand(2);
  using Result = decltype(result_at<Rule>(a, b, c, 0));
  constexpr std::int64_t per_line = 64 / sizeof(Result);
  auto* r = static_cast<Result*>(result);
  for (std::int64_t i = 0; i < count; i += per_line) {
    alignas(64) Result line[per_line];
    for (std::int64_t k = 0; k < per_line; ++k) line[k] = result_at<Rule>(a, b, c, i + k);
    stream_line(r + i, line);
  }
}

template <class Rule, class T>
constexpr Loop choose(bool streams) {
  return streams ? streaming_loop<Rule, T> : loop<Rule, T>;
}

// One rule's loop for a compute type.
template <class Rule>
Loop find_rule(DType compute, bool streams) {
  if (compute == DType::fp64) return choose<Rule, double>(streams);
  if (compute == DType::fp32) return choose<Rule, float>(streams);
  if constexpr (Rule::kind == Kind::real)
    return nullptr;
  else
    return choose<Rule, std::int64_t>(streams);
}

template <class... Rules>
Loop find_in(RuleList<Rules...>, int rule_number, DType compute, bool streams) {
  using Find = Loop (*)(DType, bool);
  static constexpr Find finds[] = {find_rule<Rules>...};
  return finds[rule_number](compute, streams);
}

Loop find(int rule_number, DType compute, bool streams) {
  return find_in(ElementwiseRules{}, rule_number, compute, streams);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(find);
Loop elementwise_loop(int rule_number, DType compute, bool streams) {
  return HWY_DYNAMIC_DISPATCH(find)(rule_number, compute, streams);
}

}  // namespace napkin::fast
#endif
