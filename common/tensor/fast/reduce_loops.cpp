#include "common/tensor/fast/reduce_loops.h"

#include "common/tensor/elementwise_rules.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/fast/reduce_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/fast/independent.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::fast {
namespace HWY_NAMESPACE {

// x[i] += y[i]
template <class T>
void add_onto(T* x, const T* y, std::int64_t count) {
  NAPKIN_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) x[i] = Add{}(x[i], y[i]);
}

template <class T>
void fold_numbers(T* x, std::int64_t count, std::int64_t columns) {
  std::int64_t half = 1;
  while (2 * half < count) half *= 2;
  for (; half > 0; half /= 2)
    if (half < count) {
      add_onto(x, x + half * columns, (count - half) * columns);
      count = half;
    }
}

// fold_numbers for all lanes: with the number known, nothing is left to decide at run time.
template <class T>
T fold_lanes(T* lanes) {
  static_assert(reduce_lanes == 32);
  for (int l = 0; l < 16; ++l) lanes[l] = Add{}(lanes[l], lanes[l + 16]);
  for (int l = 0; l < 8; ++l) lanes[l] = Add{}(lanes[l], lanes[l + 8]);
  for (int l = 0; l < 4; ++l) lanes[l] = Add{}(lanes[l], lanes[l + 4]);
  return Add{}(Add{}(lanes[0], lanes[2]), Add{}(lanes[1], lanes[3]));
}

template <class T>
T sum_block(const T* x, std::int64_t count) {
  T lanes[reduce_lanes];
  if (count < reduce_lanes) {
    for (std::int64_t l = 0; l < count; ++l) lanes[l] = x[l];
    fold_numbers(lanes, count, 1);
    return lanes[0];
  }
  for (std::int64_t l = 0; l < reduce_lanes; ++l) lanes[l] = x[l];
  std::int64_t i = reduce_lanes;
  for (; i + reduce_lanes <= count; i += reduce_lanes)
    for (std::int64_t l = 0; l < reduce_lanes; ++l) lanes[l] = Add{}(lanes[l], x[i + l]);
  for (std::int64_t l = 0; i + l < count; ++l) lanes[l] = Add{}(lanes[l], x[i + l]);
  return fold_lanes(lanes);
}

template <class T>
void rows(void* sums, const void* x, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r)
    static_cast<T*>(sums)[r] = sum_block(static_cast<const T*>(x) + r * columns, columns);
}

template <class T>
void to_lanes(void* lanes, const void* x, std::int64_t step, std::int64_t first, std::int64_t rows,
              std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    T* lane = static_cast<T*>(lanes) + (first + r) % reduce_lanes * columns;
    const T* row = static_cast<const T*>(x) + r * step;
    if (first + r < reduce_lanes)
      for (std::int64_t c = 0; c < columns; ++c) lane[c] = row[c];
    else
      add_onto(lane, row, columns);
  }
}

template <class T>
void fold(void* x, std::int64_t count, std::int64_t columns) {
  fold_numbers(static_cast<T*>(x), count, columns);
}

template <class T>
SumLoops loops_of() {
  return {rows<T>, to_lanes<T>, fold<T>};
}

SumLoops find(DType compute) {
  if (compute == DType::fp64) return loops_of<double>();
  return compute == DType::fp32 ? loops_of<float>() : loops_of<std::int64_t>();
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::fast {

HWY_EXPORT(find);
SumLoops sum_loops(DType compute) { return HWY_DYNAMIC_DISPATCH(find)(compute); }

}  // namespace napkin::fast
#endif
