// One block of numbers combined in the order of reduce_loops.h: for the .cpp files that
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
#include "common/tensor/cpu/reduce/reduce_loops.h"
#include "common/tensor/rules/reduce.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// x[i] = x[i] combined with y[i]
template <class Combine, class T>
void combine_onto(T* x, const T* y, std::int64_t count) {
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
T fold_lanes(T* lanes) {
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

template <class Rule, class S>
auto combine_block(const S* x, std::int64_t count, double parameter) {
  const typename Rule::Combine combine;
  typename Rule::template Result<S> lanes[reduce_lanes];
  if (count < reduce_lanes) {
    for (std::int64_t l = 0; l < count; ++l) lanes[l] = Rule::prepare(x[l], parameter);
    fold_numbers<typename Rule::Combine>(lanes, count, 1);
    return lanes[0];
  }
  for (std::int64_t l = 0; l < reduce_lanes; ++l) lanes[l] = Rule::prepare(x[l], parameter);
  std::int64_t i = reduce_lanes;
  for (; i + reduce_lanes <= count; i += reduce_lanes) {
    prefetch(x + i);
    for (std::int64_t l = 0; l < reduce_lanes; ++l)
      lanes[l] = combine(lanes[l], Rule::prepare(x[i + l], parameter));
  }
  for (std::int64_t l = 0; i + l < count; ++l)
    lanes[l] = combine(lanes[l], Rule::prepare(x[i + l], parameter));
  return fold_lanes<typename Rule::Combine>(lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#endif
