#include "common/tensor/cpu/reduce/row_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "common/tensor/rules/softmax.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/reduce/row_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/cpu/reduce/reduce_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

template <class T>
T largest_of(const T* x, std::int64_t n) {
  T lanes[reduce_lanes];
  std::fill_n(lanes, reduce_lanes, -std::numeric_limits<T>::infinity());
  std::int64_t i = 0;
  for (; i + reduce_lanes <= n; i += reduce_lanes) {
    prefetch(x + i);
    for (std::int64_t l = 0; l < reduce_lanes; ++l) lanes[l] = larger(lanes[l], x[i + l]);
  }
  for (; i < n; ++i) lanes[0] = larger(lanes[0], x[i]);
  for (std::int64_t l = 1; l < reduce_lanes; ++l) lanes[0] = larger(lanes[0], lanes[l]);
  return lanes[0];
}

// softmax: e^(x - max) / sum of those; log_softmax: (x - max) - log of that sum, which has the
// order of reduce_loops.h.
template <class T, bool is_log>
struct Softmax {
  static void row(T* y, const T* x, std::int64_t n, T* sums) {
    const T largest = largest_of(x, n);
    for (std::int64_t first = 0; first < n; first += reduce_block) {
      const std::int64_t count = std::min(n - first, reduce_block);
      NAPKIN_INDEPENDENT
      for (std::int64_t i = first; i < first + count; ++i) y[i] = exp_of(x[i] - largest);
      sums[first / reduce_block] = combine_block<Sum>(y + first, count, nullptr);
    }
    fold_numbers<Add>(sums, (n - 1) / reduce_block + 1, 1);
    const T divisor = is_log ? log_of(sums[0]) : sums[0];
    NAPKIN_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i)
      y[i] = is_log ? (x[i] - largest) - divisor : y[i] / divisor;
  }

  static void rows(const Tile& tile) {
    for (std::int64_t r = 0; r < tile.rows; ++r)
      row(static_cast<T*>(tile.result) + r * tile.result_step,
          static_cast<const T*>(tile.x) + r * tile.step, tile.columns,
          static_cast<T*>(tile.scratch));
  }

  static void columns(const Tile& tile) {
    const std::int64_t n = tile.rows, columns = tile.columns;
    T* largest = static_cast<T*>(tile.scratch);
    T* lanes = largest + columns;
    T* sums = lanes + reduce_lanes * columns;  // (blocks, columns)
    find_largest(tile, largest);
    for (std::int64_t first = 0; first < n; first += reduce_block) {
      const std::int64_t count = std::min(n - first, reduce_block);
      for (std::int64_t i = 0; i < count; ++i)
        add_powers(tile, first + i, largest, lanes + i % reduce_lanes * columns, i < reduce_lanes);
      fold_numbers<Add>(lanes, std::min(count, reduce_lanes), columns);
      std::copy_n(lanes, columns, sums + first / reduce_block * columns);
    }
    fold_numbers<Add>(sums, (n - 1) / reduce_block + 1, columns);
    finish(tile, largest, sums);
  }

  static T* powers_row(const Tile& tile, std::int64_t i) {
    return static_cast<T*>(tile.powers) + i * tile.columns;
  }
  static T* result_row(const Tile& tile, std::int64_t i) {
    return static_cast<T*>(tile.result) + i * tile.result_step;
  }
  static const T* row_of(const Tile& tile, std::int64_t i) {
    return static_cast<const T*>(tile.x) + i * tile.step;
  }

  static void find_largest(const Tile& tile, T* largest) {
    std::fill_n(largest, tile.columns, -std::numeric_limits<T>::infinity());
    for (std::int64_t i = 0; i < tile.rows; ++i) {
      const T* x = row_of(tile, i);
      NAPKIN_INDEPENDENT
      for (std::int64_t c = 0; c < tile.columns; ++c) largest[c] = larger(largest[c], x[c]);
    }
  }

  static void add_powers(const Tile& tile, std::int64_t i, const T* largest, T* lane, bool is_new) {
    const T* x = row_of(tile, i);
    T* y = powers_row(tile, i);
    NAPKIN_INDEPENDENT
    for (std::int64_t c = 0; c < tile.columns; ++c) {
      const T power = exp_of(x[c] - largest[c]);
      if constexpr (!is_log) y[c] = power;
      lane[c] = is_new ? power : lane[c] + power;
    }
  }

  static void finish(const Tile& tile, const T* largest, T* sums) {
    for (std::int64_t c = 0; is_log && c < tile.columns; ++c) sums[c] = log_of(sums[c]);
    for (std::int64_t i = 0; i < tile.rows; ++i) {
      const T* x = is_log ? row_of(tile, i) : powers_row(tile, i);
      T* y = result_row(tile, i);
      NAPKIN_INDEPENDENT
      for (std::int64_t c = 0; c < tile.columns; ++c)
        y[c] = is_log ? (x[c] - largest[c]) - sums[c] : x[c] / sums[c];
    }
  }

  static constexpr RowLoops all() { return {rows, columns}; }
};

// One after the other, as PyTorch adds them up: in FP64 for fp32, in FP32 for halves.
template <class T, class Wide>
struct CumulativeSum {
  // Four rows at once, as each addition waits for the one before it; of more, lines that start a
  // power of two apart would push each other out of the nearest cache.
  template <std::int64_t together>
  static void add_rows(T* y, std::int64_t result_step, const T* x, std::int64_t step,
                       std::int64_t n) {
    Wide sums[together] = {};
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t r = 0; r < together; ++r) {
        sums[r] = Add{}(sums[r], static_cast<Wide>(x[r * step + i]));
        y[r * result_step + i] = static_cast<T>(sums[r]);
      }
  }

  static void rows(const Tile& tile) {
    constexpr std::int64_t together = 4;
    const auto y = [&](std::int64_t r) {
      return static_cast<T*>(tile.result) + r * tile.result_step;
    };
    const auto x = [&](std::int64_t r) { return static_cast<const T*>(tile.x) + r * tile.step; };
    std::int64_t r = 0;
    for (; r + together <= tile.rows; r += together)
      add_rows<together>(y(r), tile.result_step, x(r), tile.step, tile.columns);
    for (; r < tile.rows; ++r) add_rows<1>(y(r), 0, x(r), 0, tile.columns);
  }

  static void columns(const Tile& tile) {
    Wide* sums = static_cast<Wide*>(tile.scratch);
    std::fill_n(sums, tile.columns, Wide{});
    for (std::int64_t i = 0; i < tile.rows; ++i) {
      const T* x = static_cast<const T*>(tile.x) + i * tile.step;
      T* y = static_cast<T*>(tile.result) + i * tile.result_step;
      NAPKIN_INDEPENDENT
      for (std::int64_t c = 0; c < tile.columns; ++c) {
        sums[c] = Add{}(sums[c], static_cast<Wide>(x[c]));
        y[c] = static_cast<T>(sums[c]);
      }
    }
  }

  static constexpr RowLoops all() { return {rows, columns}; }
};

RowLoops find_row_loops(RowOperation operation, DType dtype) {
  if (operation == RowOperation::softmax)
    return dtype == DType::fp64 ? Softmax<double, false>::all() : Softmax<float, false>::all();
  if (operation == RowOperation::log_softmax)
    return dtype == DType::fp64 ? Softmax<double, true>::all() : Softmax<float, true>::all();
  if (dtype == DType::fp64) return CumulativeSum<double, double>::all();
  if (dtype == DType::fp32) return CumulativeSum<float, double>::all();
  if (is_floating(dtype)) return CumulativeSum<float, float>::all();
  return CumulativeSum<std::int64_t, std::int64_t>::all();
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_row_loops);
RowLoops row_loops(RowOperation operation, DType dtype) {
  return HWY_DYNAMIC_DISPATCH(find_row_loops)(operation, dtype);
}

std::int64_t scratch_bytes(std::int64_t n, std::int64_t columns) {
  return (1 + reduce_lanes + (n - 1) / reduce_block + 1) * columns * 8;
}

}  // namespace napkin::cpu
#endif
