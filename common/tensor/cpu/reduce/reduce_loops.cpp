#include "common/tensor/cpu/reduce/reduce_loops.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/tensor/rules/reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/reduce/reduce_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/cpu/reduce/reduce_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

template <class Rule, class S>
struct Loops {
  using Combine = typename Rule::Combine;
  using T = typename Rule::template Result<S>;

  static double parameter_of(const Part& part, std::int64_t row) {
    if constexpr (HasParameter<Rule>) return part.parameters[row * part.parameter_step];
    return 0;
  }

  static void rows(void* results, const Part& part) {
    const auto* x = static_cast<const S*>(part.elements);
    T* result = static_cast<T*>(results);
    for (std::int64_t r = 0; r < part.rows; ++r)
      result[r] = combine_block<Rule>(x + r * part.step, part.columns, parameter_of(part, r));
  }

  // Row r of a block and the next ones of its lane, combined with that lane; a new lane starts with
  // the first of them.
  template <bool is_new, std::size_t... next>
  static void add_to_lane(T* lane, const S* x, const Part& part, std::index_sequence<next...>) {
    const auto prepared = [&](std::size_t n, std::int64_t c) {
      double parameter = 0;
      if constexpr (HasParameter<Rule>) parameter = part.parameters[c];
      return Rule::prepare(x[static_cast<std::int64_t>(n) * reduce_lanes * part.step + c],
                           parameter);
    };
    NAPKIN_INDEPENDENT
    for (std::int64_t c = 0; c < part.columns; ++c) {
      T sum = prepared(0, c);
      if constexpr (!is_new) sum = Combine{}(lane[c], sum);
      ((sum = Combine{}(sum, prepared(next + 1, c))), ...);
      lane[c] = sum;
    }
  }

  template <std::size_t together>
  static void add_row(void* lanes, const Part& part, std::int64_t r) {
    const std::int64_t row = part.first % reduce_block + r;
    T* lane = static_cast<T*>(lanes) + row % reduce_lanes * part.columns;
    const S* x = static_cast<const S*>(part.elements) + r * part.step;
    constexpr auto next = std::make_index_sequence<together - 1>();
    if (row < reduce_lanes)
      add_to_lane<true>(lane, x, part, next);
    else
      add_to_lane<false>(lane, x, part, next);
  }

  // Eight rows of a lane at once where they are at hand: lanes are read and written less often.
  static void to_lanes(void* lanes, const Part& part) {
    std::int64_t r = 0;
    for (; r + 8 * reduce_lanes <= part.rows; r += 8 * reduce_lanes)
      for (std::int64_t l = 0; l < reduce_lanes; ++l) add_row<8>(lanes, part, r + l);
    for (; r < part.rows; ++r) add_row<1>(lanes, part, r);
  }

  static void from_lanes(void* results, void* lanes, std::int64_t rows, std::int64_t columns,
                         std::int64_t) {
    fold(lanes, std::min(rows, reduce_lanes), columns);
    std::memcpy(results, lanes, static_cast<std::size_t>(columns) * sizeof(T));
  }

  static void fold(void* results, std::int64_t count, std::int64_t columns) {
    fold_numbers<Combine>(static_cast<T*>(results), count, columns);
  }

  static constexpr ReduceLoops all() {
    return {dtype_of<T>, sizeof(T), rows, to_lanes, from_lanes, fold};
  }
};

// Whether a takes the place of b, which stands before it: the first of equal numbers is wanted.
template <class Rule, class T>
bool wins(T a, T b) {
  return std::is_same_v<Rule, Largest> ? a > b || (a != a && b == b) : a < b || (a != a && b == b);
}

template <class Rule, class T>
struct PlaceLoops {
  using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Result = Place<T>;

  static std::int64_t find(const T* x, std::int64_t count, T value) {
    const bool nan = value != value;
    constexpr std::int64_t together = 128;
    std::int64_t i = 0;
    for (; i + together <= count; i += together) {
      Index found = 0;
      for (std::int64_t k = 0; k < together; ++k)
        found |= Index{x[i + k] == value} | (Index{x[i + k] != x[i + k]} & Index{nan});
      if (found != 0) break;
    }
    while (!(x[i] == value || (nan && x[i] != x[i]))) ++i;
    return i;
  }

  static void rows(void* results, const Part& part) {
    for (std::int64_t r = 0; r < part.rows; ++r) {
      const T* x = static_cast<const T*>(part.elements) + r * part.step;
      const T value = combine_block<Rule>(x, part.columns, 0);
      static_cast<Result*>(results)[r] = {value, part.first + find(x, part.columns, value)};
    }
  }

  // lanes: the best number of each column so far, then their rows in the block.
  static void to_lanes(void* lanes, const Part& part) {
    T* value = static_cast<T*>(lanes);
    Index* index = reinterpret_cast<Index*>(value + part.columns);
    for (std::int64_t r = 0; r < part.rows; ++r) {
      const T* x = static_cast<const T*>(part.elements) + r * part.step;
      const auto row = static_cast<Index>(part.first % reduce_block + r);
      NAPKIN_INDEPENDENT
      for (std::int64_t c = 0; c < part.columns; ++c) {
        const bool is_new = row == 0 || wins<Rule>(x[c], value[c]);
        value[c] = is_new ? x[c] : value[c];
        index[c] = is_new ? row : index[c];
      }
    }
  }

  static void from_lanes(void* results, void* lanes, std::int64_t, std::int64_t columns,
                         std::int64_t first) {
    const T* value = static_cast<const T*>(lanes);
    const Index* index = reinterpret_cast<const Index*>(value + columns);
    for (std::int64_t c = 0; c < columns; ++c)
      static_cast<Result*>(results)[c] = {value[c], first + index[c]};
  }

  static void fold(void* results, std::int64_t count, std::int64_t columns) {
    Result* best = static_cast<Result*>(results);
    for (std::int64_t i = columns; i < count * columns; ++i)
      if (wins<Rule>(best[i].value, best[i % columns].value)) best[i % columns] = best[i];
  }

  static constexpr ReduceLoops all() {
    return {dtype_of<T>, sizeof(Result), rows, to_lanes, from_lanes, fold};
  }
};

template <class T>
ReduceLoops find_place(bool largest) {
  return largest ? PlaceLoops<Largest, T>::all() : PlaceLoops<Smallest, T>::all();
}

ReduceLoops find_places(bool largest, DType elements) {
  if (elements == DType::fp64) return find_place<double>(largest);
  return elements == DType::fp32 ? find_place<float>(largest) : find_place<std::int64_t>(largest);
}

template <class Rule>
ReduceLoops find_reduction_rule(DType elements) {
  if (elements == DType::fp64) return Loops<Rule, double>::all();
  if constexpr (std::is_same_v<typename Rule::template Result<std::int64_t>, std::int64_t>)
    if (elements == DType::int64) return Loops<Rule, std::int64_t>::all();
  return Loops<Rule, float>::all();
}

template <class... Rules>
ReduceLoops find_reduction_in(RuleList<Rules...>, int rule_number, DType elements, bool prepared) {
  using Find = ReduceLoops (*)(DType);
  static constexpr Find finds[] = {find_reduction_rule<Rules>...};
  static constexpr Find combines[] = {find_reduction_rule<Plain<typename Rules::Combine>>...};
  return (prepared ? combines : finds)[rule_number](elements);
}

ReduceLoops find_reduction(int rule_number, DType elements, bool prepared) {
  return find_reduction_in(ReductionRules{}, rule_number, elements, prepared);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {

HWY_EXPORT(find_reduction);
HWY_EXPORT(find_places);
ReduceLoops reduce_loops(int rule_number, DType elements) {
  return HWY_DYNAMIC_DISPATCH(find_reduction)(rule_number, elements, false);
}
ReduceLoops combine_loops(int rule_number, DType results) {
  return HWY_DYNAMIC_DISPATCH(find_reduction)(rule_number, results, true);
}
ReduceLoops place_loops(bool largest, DType elements) {
  return HWY_DYNAMIC_DISPATCH(find_places)(largest, elements);
}

}  // namespace napkin::cpu
#endif
