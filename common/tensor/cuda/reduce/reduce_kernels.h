// The kernels of reductions, as structs that GPU and host run (gpu/launch.h): numbers are combined
// in the order of the CPU (reduce_loops.h), so that results have the CPU's bits.
#pragma once
#include "common/gpu/launch.h"
#include "common/tensor/cuda/elements.h"
#include "common/tensor/cuda/places.h"
#include "common/tensor/rules/reduce.h"

namespace napkin::cuda {

// A rule of ReductionRules, as the kernels want it: an element may know its place.
template <class Rule>
struct Values {
  using Combine = typename Rule::Combine;
  template <class S>
  using Result = typename Rule::template Result<S>;
  template <class S>
  NAPKIN_HD static Result<S> prepare(S x, double parameter, std::int64_t) {
    return Rule::prepare(x, parameter);
  }
  static constexpr bool has_parameter = HasParameter<Rule>;
};

// The place of the largest or the smallest number: the first of equal ones, whatever the order.
template <class Rule>
struct Positions {
  struct Combine {
    template <class T>
    NAPKIN_HD Place<T> operator()(Place<T> a, Place<T> b) const {
      const bool nan_a = a.value != a.value, nan_b = b.value != b.value;
      const bool equal = a.value == b.value || (nan_a && nan_b);
      const bool better = std::is_same_v<Rule, Largest> ? b.value > a.value : b.value < a.value;
      return (equal ? b.index < a.index : !nan_a && (better || nan_b)) ? b : a;
    }
  };
  template <class S>
  using Result = Place<S>;
  template <class S>
  NAPKIN_HD static Place<S> prepare(S x, double, std::int64_t index) {
    return {x, index};
  }
  static constexpr bool has_parameter = false;
};

// Upper half onto lower half, until one is left, for numbers that stand `step` apart.
template <class Combine, class T>
NAPKIN_HD T fold_few(T* x, int count, int step) {
  int half = 1;
  while (2 * half < count) half *= 2;
  for (; half > 0; half /= 2) {
    for (int i = half; i < count; ++i)
      x[(i - half) * step] = Combine{}(x[(i - half) * step], x[i * step]);
    if (half < count) count = half;
  }
  return x[0];
}

// Four neighbouring numbers, read at once where they are a packet, which is at most 16 bytes.
template <class S>
struct Four {
  S x[4];
};
template <class S>
NAPKIN_HD Four<S> read_packet(const std::byte* at, DType dtype) {
  return visit_computed<S>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    constexpr int width = sizeof(T) == 8 ? 2 : 4;
    Four<S> four;
    for (int first = 0; first < 4; first += width) {
      const auto packet =
          *reinterpret_cast<const Packet<T, width>*>(at + first * static_cast<int>(sizeof(T)));
      for (int k = 0; k < width; ++k) four.x[first + k] = convert<S>(packet.elements[k]);
    }
    return four;
  });
}

template <class S>
NAPKIN_HD void write_packet(std::byte* at, DType dtype, const Four<S>& four) {
  visit_computed<S>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    constexpr int width = sizeof(T) == 8 ? 2 : 4;
    for (int first = 0; first < 4; first += width) {
      Packet<T, width> packet;
      for (int k = 0; k < width; ++k) packet.elements[k] = convert<T>(four.x[first + k]);
      *reinterpret_cast<Packet<T, width>*>(at + first * static_cast<int>(sizeof(T))) = packet;
    }
  });
}

// One dimension combined in blocks of 1024. A block of threads has 32 blocks of numbers, eight
// threads for each of them with four lanes each. Neighbouring threads read neighbouring elements:
// lanes of a block where the dimension is the fastest one, else the same lanes of neighbouring
// results.
template <class Rule, class S>
struct ReduceBlocks {
  using T = typename Rule::template Result<S>;
  static constexpr int threads = 256, blocks_at_once = 32, lanes_each = 4;

  Places<2> places;                     // of a result: its first element, and its parameter
  std::int64_t results, blocks, count;  // the dimension has `count` elements
  std::int64_t step;                    // bytes from one of them to the next
  bool along_rows, packets;
  const std::byte* x;
  DType dtype;
  const double* parameters;
  T* partial;  // (blocks, results)

  struct Shared {
    T lanes[reduce_lanes][blocks_at_once + 1];
  };
  NAPKIN_HD constexpr int phases() const { return 2; }
  gpu::Grid grid() const {
    return {(results * blocks + blocks_at_once - 1) / blocks_at_once, threads};
  }

  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    const int in_block = along_rows ? at.index / 8 : at.index % blocks_at_once;
    const int first_lane = lanes_each * (along_rows ? at.index % 8 : at.index / blocks_at_once);
    const std::int64_t item = at.block * blocks_at_once + in_block;
    if (item >= results * blocks) return;
    const std::int64_t result = along_rows ? item / blocks : item % results;
    const std::int64_t block = along_rows ? item % blocks : item / results;
    const std::int64_t first = block * reduce_block;
    const auto numbers =
        static_cast<int>(count - first < reduce_block ? count - first : reduce_block);
    if (phase == 0) return combine(shared, result, first, numbers, in_block, first_lane);
    if (first_lane > 0) return;
    const int used = numbers < reduce_lanes ? numbers : static_cast<int>(reduce_lanes);
    partial[block * results + result] =
        fold_few<typename Rule::Combine>(&shared.lanes[0][in_block], used, blocks_at_once + 1);
  }

 private:
  NAPKIN_HD void combine(Shared& shared, std::int64_t result, std::int64_t first, int numbers,
                         int in_block, int first_lane) const {
    std::int64_t place[2];
    places.find(result, place);
    double parameter = 0;
    if constexpr (Rule::has_parameter)
      parameter = *reinterpret_cast<const double*>(reinterpret_cast<const std::byte*>(parameters) +
                                                   place[1]);
    const std::byte* from = x + place[0] + (first + first_lane) * step;
    T lanes[lanes_each];
    int row = first_lane;
    for (; row + lanes_each <= numbers; row += reduce_lanes) {
      const Four<S> four = read_four(from);
      from += reduce_lanes * step;
      for (int k = 0; k < lanes_each; ++k) {
        const T next = Rule::prepare(four.x[k], parameter, first + row + k);
        lanes[k] = row == first_lane ? next : typename Rule::Combine{}(lanes[k], next);
      }
    }
    // Loops of a fixed number of turns keep the lanes in registers.
    for (int k = 0; k < lanes_each; ++k) {
      if (row + k >= numbers) continue;
      const T next =
          Rule::prepare(read_element<S>(from + k * step, dtype, dtype), parameter, first + row + k);
      lanes[k] = row == first_lane ? next : typename Rule::Combine{}(lanes[k], next);
    }
    for (int k = 0; k < lanes_each; ++k)
      if (first_lane + k < numbers) shared.lanes[first_lane + k][in_block] = lanes[k];
  }

  NAPKIN_HD Four<S> read_four(const std::byte* from) const {
    if (packets) return read_packet<S>(from, dtype);
    Four<S> four;
    for (int k = 0; k < 4; ++k) four.x[k] = read_element<S>(from + k * step, dtype, dtype);
    return four;
  }
};

// The blocks' numbers folded onto the first. A block of threads has some neighbouring results.
template <class Combine, class T>
struct FoldBlocks {
  static constexpr int threads = 1024;

  std::int64_t results, blocks;
  T* partial;    // (blocks, results)
  int together;  // results of a block of threads: a power of two

  struct Shared {};
  FoldBlocks(std::int64_t r, std::int64_t b, T* p)
      : results(r), blocks(b), partial(p), together(1) {
    while (together < 32 && together < r) together *= 2;
  }
  NAPKIN_HD int phases() const {
    int levels = 0;
    while ((std::int64_t{1} << levels) < blocks) ++levels;
    return levels;
  }
  gpu::Grid grid() const { return {(results + together - 1) / together, threads}; }

  NAPKIN_HD void operator()(const gpu::Thread& at, Shared&, int phase) const {
    const std::int64_t result = at.block * together + at.index % together;
    if (result >= results) return;
    // Powers of two below `blocks`, the largest first.
    const std::int64_t half = std::int64_t{1} << (phases() - 1 - phase);
    const std::int64_t count = 2 * half < blocks ? 2 * half : blocks;
    for (std::int64_t i = at.index / together; i + half < count; i += threads / together) {
      T* onto = partial + i * results + result;
      *onto = Combine{}(*onto, onto[half * results]);
    }
  }
};

// What becomes of each result.
template <class T>
struct FinishResults {
  const T* results;
  std::int64_t count;
  Finish finish;
  double number;
  std::byte* to;
  DType dtype;
  std::int64_t size;  // bytes of an element there

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t i = at.number();
    if (i < count) write(to + i * size, results[i]);
  }

 private:
  template <class U>
  NAPKIN_HD void write(std::byte* at, U x) const {
    write_element(at, dtype, finished(x, finish, number));
  }
  template <class U>
  NAPKIN_HD void write(std::byte* at, const Place<U>& x) const {
    *reinterpret_cast<std::int64_t*>(at) = x.index;
  }
};

}  // namespace napkin::cuda
