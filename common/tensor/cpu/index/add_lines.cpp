// Elements added by position, one after the other: in the order of the index, or by several threads
// at once in no order.
#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "common/core/parallel.h"
#include "common/numeric/convert.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/cpu/index/index.h"
#include "common/tensor/cpu/workspace.h"
#include "common/tensor/create.h"
#include "common/tensor/rules/sums.h"

namespace napkin::cpu {
namespace {

// Lines along the dimension of the index, some of them side by side: elements [n, c].
template <class T>
struct Lines {
  T* data;
  std::int64_t step, column_step;
  T& at(std::int64_t n, std::int64_t c) const { return data[n * step + c * column_step]; }
};

struct Range {
  std::int64_t first, last;
  bool has(std::int64_t i) const { return first <= i && i < last; }
};

// What is added to the places of some lines that are in a range.
template <class T>
struct Terms {
  Lines<const std::int64_t> numbers;
  Lines<const T> source;
  std::int64_t count, columns;
  Range places;

  // Calls f(place, n, column) for the terms [first, last), in order.
  template <class F>
  void each(std::int64_t first, std::int64_t last, F&& f) const {
    const auto term = [&](std::int64_t n, std::int64_t c) {
      if (const std::int64_t place = numbers.at(n, c); places.has(place)) f(place, n, c);
    };
    if (columns == 1)
      for (std::int64_t n = first; n < last; ++n) term(n, 0);
    else
      for (std::int64_t n = first; n < last; ++n)
        for (std::int64_t c = 0; c < columns; ++c) term(n, c);
  }

  // Adds them to sums [place, column] of type U.
  template <class U>
  void add(const Lines<U>& sums, std::int64_t first, std::int64_t last) const {
    each(first, last, [&](std::int64_t place, std::int64_t n, std::int64_t c) {
      U& sum = sums.at(place, c);
      sum = narrow<U>(widen<U>(sum) + widen<T>(source.at(n, c)));
    });
  }
};

// Sums in the order of index.h: the first run onto what stands there, each other one by itself
// first, in `spare`, which holds zeros before and after.
template <class T, class U>
void add_in_order(const Terms<T>& terms, const Lines<U>& sums, const Lines<U>& spare) {
  terms.add(sums, 0, std::min(terms.count, terms_of_a_sum));
  for (std::int64_t first = terms_of_a_sum; first < terms.count; first += terms_of_a_sum) {
    const std::int64_t last = std::min(terms.count, first + terms_of_a_sum);
    terms.add(spare, first, last);
    terms.each(first, last, [&](std::int64_t place, std::int64_t, std::int64_t c) {
      U& sum = sums.at(place, c);
      sum = narrow<U>(widen<U>(sum) + widen<U>(std::exchange(spare.at(place, c), U{})));
    });
  }
}

// Memory for the sums of some lines.
template <class U>
Lines<U> lines_in(const Workspace<U>& space, std::int64_t columns) {
  return {space.data(), columns, 1};
}

// bf16 and fp16 are added up beside the tensor, in FP32.
template <class T>
void add_beside(const Terms<T>& terms, const Lines<T>& x, const Lines<float>& sums,
                const Lines<float>& spare) {
  const auto each = [&](auto&& f) { terms.each(0, terms.count, f); };
  each([&](std::int64_t place, std::int64_t, std::int64_t c) {
    sums.at(place, c) = widen<T>(x.at(place, c));
  });
  add_in_order(terms, sums, spare);
  each([&](std::int64_t place, std::int64_t, std::int64_t c) {
    x.at(place, c) = narrow<T>(sums.at(place, c));
  });
}

// The walk over the lines of (0) x, (1) the source and (2) the index; boxes are lines that stand
// side by side, where they run across memory.
Walk walk_over_lines(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  constexpr std::int64_t side_by_side = 16;
  const Tensor firsts[] = {x.select(dim, 0), source.select(dim, 0), index.select(dim, 0)};
  const Layout* layouts[] = {&firsts[0].layout(), &firsts[1].layout(), &firsts[2].layout()};
  Walk walk = plan_walk(layouts);
  const bool across = walk.strides[1][0] < source.stride(dim);
  walk.columns = across ? std::min(walk.shape[0], side_by_side) : 1;
  walk.rows = 1;
  return walk;
}

template <class T>
void add_lines(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  using U = std::conditional_t<is_small_float<T>, float, T>;
  const Walk walk = walk_over_lines(x, dim, index, source);
  const auto& s = walk.strides;
  const std::int64_t count = index.size(dim), places = x.size(dim);
  // Where lines are few, threads share them: each adds what goes to its own places.
  const bool shared = walk.boxes() < threads() && count > (8 << 10);
  const std::int64_t shares = shared ? threads() : 1;
  const std::int64_t grain =
      shared ? 1 : std::max<std::int64_t>(1, (16 << 10) / (count * walk.columns));
  parallel_for(walk.boxes() * shares, grain, [&](std::int64_t first, std::int64_t last) {
    const Workspace<U> sums(is_small_float<T> ? places * walk.columns : 0);
    const Workspace<U> spare(count > terms_of_a_sum ? places * walk.columns : 0);
    spare.zero();
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk, n / shares);
      const std::int64_t share = n % shares;
      const Lines<T> to{x.data<T>() + box.start[0], x.stride(dim), s[0][0]};
      const Terms<T> terms{{index.data<std::int64_t>() + box.start[2], index.stride(dim), s[2][0]},
                           {source.data<T>() + box.start[1], source.stride(dim), s[1][0]},
                           count,
                           box.columns,
                           {places * share / shares, places * (share + 1) / shares}};
      if constexpr (is_small_float<T>)
        add_beside(terms, to, lines_in(sums, box.columns), lines_in(spare, box.columns));
      else
        add_in_order(terms, to, lines_in(spare, box.columns));
    }
  });
}

// x += term in the dtype, not interrupted by other threads; their order is anybody's guess.
template <class T>
void add_atomically(T& x, T term) {
  using Bits = std::conditional_t<
      sizeof(T) == 8, std::uint64_t,
      std::conditional_t<sizeof(T) == 4, std::uint32_t,
                         std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  const std::atomic_ref<Bits> place(reinterpret_cast<Bits&>(x));
  Bits before = place.load(std::memory_order_relaxed), after;
  do {
    after = std::bit_cast<Bits>(narrow<T>(widen<T>(std::bit_cast<T>(before)) + widen<T>(term)));
  } while (!place.compare_exchange_weak(before, after, std::memory_order_relaxed));
}

template <class T>
void add_racy(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  Layout to = x.layout();
  to.shape = index.shape();
  to.strides[dim] = 0;
  const Layout* layouts[] = {&source.layout(), &to, &index.layout()};
  const Walk walk = plan_walk(layouts);
  const auto& s = walk.strides;
  const std::int64_t* numbers = index.data<std::int64_t>();
  parallel_for(walk.boxes(), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk, n);
      for (std::int64_t i = 0; i < box.rows * box.columns; ++i) {
        const std::int64_t r = i / box.columns, c = i % box.columns;
        const auto at = [&](std::size_t k) { return box.start[k] + r * s[k][1] + c * s[k][0]; };
        add_atomically(x.data<T>()[at(1) + numbers[at(2)] * x.stride(dim)],
                       source.data<T>()[at(0)]);
      }
    }
  });
}

// Of int32 a copy: half the loops, for what is rare.
Tensor in_64_bits(const Tensor& index) {
  if (index.dtype() == DType::int64) return index;
  const Tensor numbers =
      empty(index.shape(), {.dtype = DType::int64, .category = Category::temporary});
  copy(numbers, index);
  return numbers;
}

}  // namespace

void add_lines(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  const Tensor numbers = in_64_bits(index);
  visit(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    add_lines<T>(x, dim, numbers, source);
  });
}

void add_racy(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  const Tensor numbers = in_64_bits(index);
  visit(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    add_racy<T>(x, dim, numbers, source);
  });
}

}  // namespace napkin::cpu
