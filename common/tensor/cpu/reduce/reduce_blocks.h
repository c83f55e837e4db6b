// One block of numbers combined in the order of rules/reduce.h: for the .cpp files that
// foreach_target.h includes once for each instruction set, as it does this one.
#if defined(NAPKIN_REDUCE_BLOCKS) == defined(HWY_TARGET_TOGGLE)
#ifdef NAPKIN_REDUCE_BLOCKS
#undef NAPKIN_REDUCE_BLOCKS
#else
#define NAPKIN_REDUCE_BLOCKS
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "common/tensor/cpu/independent.h"
#include "common/tensor/rules/reduce.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// x[i] = x[i] combined with y[i]
template <class Combine, class T>
HWY_NOINLINE void combine_onto(T* x, const T* y, std::int64_t count) {
  NAPKIN_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) x[i] = Combine{}(x[i], y[i]);
}

template <class Combine, class T>
void fold_numbers(T* x, std::int64_t count, std::int64_t columns) {
  std::int64_t half = 1;
  while (2 * half < count) half *= 2;
  for (; half > 0; half /= 2)
    if (half < count) {
      combine_onto<Combine>(x, x + half * columns, (count - half) * columns);
      count = half;
    }
}

// fold_numbers for all lanes: with the number known, nothing is left to decide at run time.
template <class Combine, class T>
HWY_NOINLINE T fold_lanes(T* lanes) {
  static_assert(reduce_lanes == 32);
  const Combine combine;
  for (int l = 0; l < 16; ++l) lanes[l] = combine(lanes[l], lanes[l + 16]);
  for (int l = 0; l < 8; ++l) lanes[l] = combine(lanes[l], lanes[l + 8]);
  for (int l = 0; l < 4; ++l) lanes[l] = combine(lanes[l], lanes[l + 4]);
  return combine(combine(lanes[0], lanes[2]), combine(lanes[1], lanes[3]));
}

// What will be read after the next 16 KiB, at the pace of a block's rows of lanes: the processor
// itself does not read ahead far enough past the end of a page.
template <class S>
void prefetch(const S* x) {
  for (std::size_t byte = 0; byte < reduce_lanes * sizeof(S); byte += 64)
    __builtin_prefetch(reinterpret_cast<const char*>(x) + 16384 + byte);
}

// A parameter for each lane, where the rule has one.
template <class Rule>
double parameter_of(const double* parameters, std::int64_t lane) {
  if constexpr (HasParameter<Rule>) return parameters[lane];
  return 0;
}

// 32 lanes and what is combined with them: lane l takes the elements x[l], x[l + step] ... of so
// many rows. New lanes start with the first of them.
template <class Rule, class S, class T>
HWY_NOINLINE void combine_lanes(T* to, const S* x, std::int64_t step, std::int64_t rows,
                                bool are_new, const double* parameters) {
  const typename Rule::Combine combine;
  const auto prepared = [=](std::int64_t i, std::int64_t l) -> T {
    return Rule::prepare(x[i * step + l], parameter_of<Rule>(parameters, l));
  };
  T lanes[reduce_lanes];
  for (std::int64_t l = 0; l < reduce_lanes; ++l) lanes[l] = are_new ? prepared(0, l) : to[l];
  for (std::int64_t i = are_new ? 1 : 0; i < rows; ++i) {
    if (step == reduce_lanes) prefetch(x + i * step);
    for (std::int64_t l = 0; l < reduce_lanes; ++l) lanes[l] = combine(lanes[l], prepared(i, l));
  }
  for (std::int64_t l = 0; l < reduce_lanes; ++l) to[l] = lanes[l];
}

// The same for fewer lanes and one row.
template <class Rule, class S, class T>
HWY_NOINLINE void combine_few_lanes(T* lanes, const S* x, std::int64_t count, bool are_new,
                                    const double* parameters) {
  for (std::int64_t l = 0; l < count; ++l) {
    const T y = Rule::prepare(x[l], parameter_of<Rule>(parameters, l));
    lanes[l] = are_new ? y : typename Rule::Combine{}(lanes[l], y);
  }
}

template <class Rule, class S>
auto combine_block(const S* x, std::int64_t count, const double* parameters) {
  using Combine = typename Rule::Combine;
  typename Rule::template Result<S> lanes[reduce_lanes];
  const std::int64_t rows = count / reduce_lanes, rest = count % reduce_lanes;
  if (rows > 0) combine_lanes<Rule>(lanes, x, reduce_lanes, rows, true, parameters);
  if (rest > 0) combine_few_lanes<Rule>(lanes, x + count - rest, rest, rows == 0, parameters);
  if (rows > 0) return fold_lanes<Combine>(lanes);
  fold_numbers<Combine>(lanes, count, 1);
  return lanes[0];
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#endif
