// foreach_target.h includes this file once for each instruction set.
#include "common/tensor/cpu/sort/order_loops.h"

#include "common/numeric/order_key.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/sort/order_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// Whether one of so many keys is above the threshold.
template <class T, int count>
HWY_INLINE bool any_above(const T* x, OrderKey<T> flip, OrderKey<T> threshold) {
  using Key = OrderKey<T>;
  Key above = 0;
  for (int k = 0; k < count; ++k)
    above |= static_cast<Key>(static_cast<Key>(order_key(x[k]) ^ flip) > threshold ? 1 : 0);
  return above != 0;
}

template <class T>
std::int64_t first_above(const void* elements, std::int64_t first, std::int64_t count,
                         std::uint64_t flip_bits, std::uint64_t threshold_key) {
  using Key = OrderKey<T>;
  const auto* x = static_cast<const T*>(elements);
  const auto flip = static_cast<Key>(flip_bits), threshold = static_cast<Key>(threshold_key);
  std::int64_t i = first;
  while (i + 64 <= count && !any_above<T, 64>(x + i, flip, threshold)) i += 64;
  while (i + 8 <= count && !any_above<T, 8>(x + i, flip, threshold)) i += 8;
  while (i < count && !any_above<T, 1>(x + i, flip, threshold)) ++i;
  return i;
}

FirstAbove find_first_above(DType dtype) {
  return visit(dtype,
               [](auto tag) -> FirstAbove { return first_above<typename decltype(tag)::Type>; });
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_first_above);
FirstAbove first_above_loop(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_first_above)(dtype); }

}  // namespace napkin::cpu
#endif
