// The loops of reduce_loops.h: a rule prepares elements and combines them, 32 lanes at a time; all
// rules that combine in one way share what comes after. Rules that are rarely asked for are not
// here: prepare.h.
#include "common/tensor/cpu/reduce/reduce_loops.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/tensor/rules/reduce.h"

#ifndef NAPKIN_PLACES
#define NAPKIN_PLACES
namespace napkin::cpu {

// An index of as many bits as T, where it must fit into a block only.
template <class T>
using IndexBeside = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// Whether a takes the place of b, which stands before it: the first of equal numbers is wanted.
template <class Better, class T>
bool wins(T a, T b) {
  return (std::is_same_v<Better, Larger> ? a > b : a < b) || (a != a && b == b);
}

}  // namespace napkin::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/tensor/cpu/reduce/reduce_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/tensor/cpu/reduce/reduce_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace napkin::cpu {
namespace HWY_NAMESPACE {

// What comes after the elements are prepared, whatever the rule.
template <class Combine, class T>
struct Folds {
  static void from_lanes(void* results, void* lanes, std::int64_t rows, std::int64_t columns,
                         std::int64_t) {
    fold(lanes, std::min(rows, reduce_lanes), columns);
    std::memcpy(results, lanes, static_cast<std::size_t>(columns) * sizeof(T));
  }
  static void fold(void* results, std::int64_t count, std::int64_t columns) {
    fold_numbers<Combine>(static_cast<T*>(results), count, columns);
  }
};

template <class Rule, class S>
struct LoopsOfRule {
  using T = typename Rule::template Result<S>;

  static void rows(void* results, const Part& part) {
    const auto* x = static_cast<const S*>(part.elements);
    double parameters[reduce_lanes];
    for (std::int64_t r = 0; r < part.rows; ++r) {
      if constexpr (HasParameter<Rule>)
        std::fill_n(parameters, reduce_lanes, part.parameters[r * part.parameter_step]);
      static_cast<T*>(results)[r] =
          combine_block<Rule>(x + r * part.step, part.columns, parameters);
    }
  }

  // Row r of a part and the next ones of its lane.
  static HWY_NOINLINE void add_rows(void* lanes, const Part& part, std::int64_t r,
                                    std::int64_t rows) {
    const std::int64_t row = part.first % reduce_block + r, step = reduce_lanes * part.step;
    T* lane = static_cast<T*>(lanes) + row % reduce_lanes * part.columns;
    const S* x = static_cast<const S*>(part.elements) + r * part.step;
    const double* parameters = part.parameters;
    const auto next = [&](std::int64_t count) {
      lane += count;
      x += count;
      if constexpr (HasParameter<Rule>) parameters += count;
    };
    const bool are_new = row < reduce_lanes;
    std::int64_t left = part.columns;
    for (; left >= reduce_lanes; left -= reduce_lanes, next(reduce_lanes))
      combine_lanes<Rule>(lane, x, step, rows, are_new, parameters);
    for (std::int64_t i = 0; left > 0 && i < rows; ++i)
      combine_few_lanes<Rule>(lane, x + i * step, left, are_new && i == 0, parameters);
  }

  // Eight rows of a lane at once where they are at hand: lanes are read and written less often.
  static void to_lanes(void* lanes, const Part& part) {
    std::int64_t r = 0;
    for (; r + 8 * reduce_lanes <= part.rows; r += 8 * reduce_lanes)
      for (std::int64_t l = 0; l < reduce_lanes; ++l) add_rows(lanes, part, r + l, 8);
    for (; r < part.rows; ++r) add_rows(lanes, part, r, 1);
  }

  static constexpr ReduceLoops all() {
    using Fold = Folds<typename Rule::Combine, T>;
    return {dtype_of<T>, sizeof(T), rows, to_lanes, Fold::from_lanes, Fold::fold};
  }
};

// Larger or Smaller. Only what is done with all elements is here; place_loops adds the rest.
template <class Better, class T>
struct PlaceLoops {
  using Index = IndexBeside<T>;

  // The first of 128 elements or more that is the value, a NaN if the value is one.
  static HWY_NOINLINE std::int64_t find(const T* x, std::int64_t count, T value) {
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
      const T value = combine_block<Plain<Better>>(x, part.columns, nullptr);
      static_cast<Place<T>*>(results)[r] = {value, part.first + find(x, part.columns, value)};
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
        const bool is_new = row == 0 || wins<Better>(x[c], value[c]);
        value[c] = is_new ? x[c] : value[c];
        index[c] = is_new ? row : index[c];
      }
    }
  }
};

template <class T>
ReduceLoops find_places_of(bool largest) {
  using Large = PlaceLoops<Larger, T>;
  using Small = PlaceLoops<Smaller, T>;
  return {.result = dtype_of<T>,
          .bytes = sizeof(Place<T>),
          .rows = largest ? Large::rows : Small::rows,
          .to_lanes = largest ? Large::to_lanes : Small::to_lanes,
          .from_lanes = nullptr,
          .fold = nullptr};
}

ReduceLoops find_places(bool largest, DType elements) {
  if (elements == DType::fp64) return find_places_of<double>(largest);
  if (elements == DType::fp32) return find_places_of<float>(largest);
  return find_places_of<std::int64_t>(largest);
}

// The loops of the rule for the first of these types that is the elements'.
template <class Rule, class S, class... Others>
ReduceLoops find_for(DType elements) {
  if (elements == dtype_of<S>) return LoopsOfRule<Rule, S>::all();
  if constexpr (sizeof...(Others) > 0) return find_for<Rule, Others...>(elements);
  return {};
}

template <class... Rules>
ReduceLoops find_combining(RuleList<Rules...>, int rule_number, DType elements) {
  using Find = ReduceLoops (*)(DType);
  static constexpr Find finds[] = {
      find_for<Plain<typename Rules::Combine>, float, double, std::int64_t>...};
  return finds[rule_number](elements);
}

ReduceLoops find_reduction(int rule_number, DType elements, bool prepared) {
  const auto is = [=](int number) { return !prepared && rule_number == number; };
  if (is(reduction_number<WideSum>) && elements == DType::fp32)
    return LoopsOfRule<WideSum, float>::all();
  if (is(reduction_number<SquaredDeviations>))
    return find_for<SquaredDeviations, float, double>(elements);
  if (is(reduction_number<Squares>)) return find_for<Squares, float, double>(elements);
  return find_combining(ReductionRules{}, rule_number, elements);
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::cpu {
namespace {

template <class T>
void places_from_lanes(void* results, void* lanes, std::int64_t, std::int64_t columns,
                       std::int64_t first) {
  const T* value = static_cast<const T*>(lanes);
  const auto* index = reinterpret_cast<const IndexBeside<T>*>(value + columns);
  for (std::int64_t c = 0; c < columns; ++c)
    static_cast<Place<T>*>(results)[c] = {value[c], first + index[c]};
}

template <class Better, class T>
void fold_places(void* results, std::int64_t count, std::int64_t columns) {
  auto* best = static_cast<Place<T>*>(results);
  for (std::int64_t i = columns; i < count * columns; ++i)
    if (wins<Better>(best[i].value, best[i % columns].value)) best[i % columns] = best[i];
}

}  // namespace

HWY_EXPORT(find_reduction);
HWY_EXPORT(find_places);
ReduceLoops reduce_loops(int rule_number, DType elements) {
  return HWY_DYNAMIC_DISPATCH(find_reduction)(rule_number, elements, false);
}
ReduceLoops combine_loops(int rule_number, DType results) {
  return HWY_DYNAMIC_DISPATCH(find_reduction)(rule_number, results, true);
}
ReduceLoops place_loops(bool largest, DType elements) {
  ReduceLoops loops = HWY_DYNAMIC_DISPATCH(find_places)(largest, elements);
  const auto add = [&](auto tag) {
    using T = typename decltype(tag)::Type;
    loops.from_lanes = places_from_lanes<T>;
    loops.fold = largest ? fold_places<Larger, T> : fold_places<Smaller, T>;
  };
  if (elements == DType::fp64)
    add(TypeTag<double>{});
  else if (elements == DType::fp32)
    add(TypeTag<float>{});
  else
    add(TypeTag<std::int64_t>{});
  return loops;
}

}  // namespace napkin::cpu
#endif
