// Elements added by position, one after the other: line by line in the order of the index, or by
// several threads at once in no order.
#include <algorithm>
#include <atomic>
#include <bit>

#include "common/core/parallel.h"
#include "common/tensor/convert.h"
#include "common/tensor/fast/boxes.h"
#include "common/tensor/fast/index_cpu.h"
#include "common/tensor/fast/sums.h"
#include "common/tensor/fast/workspace.h"

namespace napkin::fast {
namespace {

// Elements some steps apart, as the elements of a tensor along one dimension are.
template <class T>
struct Line {
  T* data;
  std::int64_t step;
  T& operator[](std::int64_t i) const { return data[i * step]; }
};

struct Numbers {
  const std::byte* data;
  bool wide;  // int64, else int32
  std::int64_t step;
  std::int64_t operator[](std::int64_t i) const {
    return wide ? reinterpret_cast<const std::int64_t*>(data)[i * step]
                : reinterpret_cast<const std::int32_t*>(data)[i * step];
  }
};

// The sums of one line: room for every place, used for those that come up.
template <class T>
class Sums {
 public:
  explicit Sums(std::int64_t places) : terms_(places), sum_(places), total_(places) {
    terms_.zero();
  }

  // Adds the terms whose place is in [first, last).
  void add(Line<T> x, Numbers numbers, Line<T> source, std::int64_t count, std::int64_t first,
           std::int64_t last) const {
    for (std::int64_t n = 0; n < count; ++n)
      if (const std::int64_t place = numbers[n]; place >= first && place < last)
        add_term(x, place, widen<T>(source[n]));
    for (std::int64_t n = 0; n < count; ++n)
      if (const std::int64_t place = numbers[n];
          place >= first && place < last && terms_[place] > 0) {
        x[place] =
            narrow<T>(terms_[place] > terms_of_a_sum ? total_[place] + sum_[place] : sum_[place]);
        terms_[place] = 0;
      }
  }

 private:
  void add_term(Line<T> x, std::int64_t place, Sum<T> term) const {
    const std::int64_t before = terms_[place]++;
    if (before == 0) {
      sum_[place] = widen<T>(x[place]) + term;
    } else if (before % terms_of_a_sum == 0) {
      total_[place] = before == terms_of_a_sum ? sum_[place] : total_[place] + sum_[place];
      sum_[place] = Sum<T>{} + term;
    } else {
      sum_[place] += term;
    }
  }

  Workspace<std::int64_t> terms_;
  Workspace<Sum<T>> sum_, total_;
};

// Few terms need no second sum, and numbers of full width no room beside their place.
template <class T>
void add_directly(Line<T> x, Numbers numbers, Line<T> source, std::int64_t count) {
  for (std::int64_t n = 0; n < count; ++n) {
    T& place = x[numbers[n]];
    place = narrow<T>(widen<T>(place) + widen<T>(source[n]));
  }
}

// The walk over the lines of (0) x, (1) the source and (2) the index.
Walk lines_of(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  const Tensor firsts[] = {x.select(dim, 0), source.select(dim, 0), index.select(dim, 0)};
  const Layout* layouts[] = {&firsts[0].layout(), &firsts[1].layout(), &firsts[2].layout()};
  Walk walk = plan_walk(layouts);
  walk.columns = walk.rows = 1;
  return walk;
}

template <class T>
void add_lines(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  const Walk walk = lines_of(x, dim, index, source);
  const std::int64_t lines = walk.boxes(), count = index.size(dim), places = x.size(dim);
  const bool wide = index.dtype() == DType::int64;
  const auto* numbers_data = static_cast<const std::byte*>(index.raw_data());
  const bool directly = count <= terms_of_a_sum && !is_half<T>;
  // Where lines are few, several threads share one: each adds what goes to its own places.
  const std::int64_t shares = directly || lines >= threads() ? 1 : threads();
  const std::int64_t grain = std::max<std::int64_t>(1, (8 << 10) / count);
  parallel_for(lines * shares, shares > 1 && count > 4096 ? 1 : grain,
               [&](std::int64_t first, std::int64_t last) {
                 const Sums<T> sums(directly ? 0 : places);
                 for (std::int64_t n = first; n < last; ++n) {
                   const Box box = box_at(walk, n / shares);
                   const Line<T> to{x.data<T>() + box.start[0], x.stride(dim)};
                   const Line<T> from{source.data<T>() + box.start[1], source.stride(dim)};
                   const Numbers numbers{numbers_data + box.start[2] * size_of(index.dtype()), wide,
                                         index.stride(dim)};
                   const std::int64_t share = n % shares;
                   directly ? add_directly(to, numbers, from, count)
                            : sums.add(to, numbers, from, count, places * share / shares,
                                       places * (share + 1) / shares);
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
  const Numbers numbers{static_cast<const std::byte*>(index.raw_data()),
                        index.dtype() == DType::int64, 1};
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

}  // namespace

void add_lines_on_cpu(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  visit(x.dtype(),
        [&](auto tag) { add_lines<typename decltype(tag)::Type>(x, dim, index, source); });
}

void add_racy_on_cpu(const Tensor& x, int dim, const Tensor& index, const Tensor& source) {
  visit(x.dtype(),
        [&](auto tag) { add_racy<typename decltype(tag)::Type>(x, dim, index, source); });
}

}  // namespace napkin::fast
