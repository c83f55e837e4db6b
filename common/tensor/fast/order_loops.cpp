// foreach_target.h includes this file once for each instruction set.
#include "common/tensor/fast/order_loops.h"

#include "common/numeric/order_key.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/order_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {

template <class T>
std::int64_t first_above(const void* elements, std::int64_t first, std::int64_t count,
                         std::uint64_t flip_bits, std::uint64_t threshold_key) {
  using Key = OrderKey<T>;
  constexpr int block = 64;
  const auto* x = static_cast<const T*>(elements);
  const auto flip = static_cast<Key>(flip_bits), threshold = static_cast<Key>(threshold_key);
  const auto key = [&](std::int64_t i) { return static_cast<Key>(order_key(x[i]) ^ flip); };
  std::int64_t i = first;
  for (; i + block <= count; i += block) {
    Key above = 0;
    for (int k = 0; k < block; ++k) above |= static_cast<Key>(key(i + k) > threshold ? 1 : 0);
    if (above != 0) break;
  }
  while (i < count && key(i) <= threshold) ++i;
  return i;
}

FirstAbove find_first_above(DType dtype) {
  return visit(dtype,
               [](auto tag) -> FirstAbove { return first_above<typename decltype(tag)::Type>; });
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(find_first_above);
FirstAbove first_above_loop(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_first_above)(dtype); }

}  // namespace napkin::fast
#endif
