// Slices added by number, in the order of the numbers: the positions are sorted by number, so that
// what comes to one slice of x stands together and is added up while its sums are in the cache.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/index/add_rows_loops.h"
#include "common/tensor/cpu/index/index.h"
#include "common/tensor/cpu/workspace.h"

namespace napkin::cpu {
namespace {

std::byte* elements_of(const Tensor& x) { return static_cast<std::byte*>(x.raw_data()); }

// The positions in `numbers`, sorted by what stands there; equal ones stay in order.
void sort_positions(std::int64_t* positions, const std::int64_t* numbers, std::int64_t count,
                    std::int64_t size) {
  if (size > 8 * count) {  // counting would take longer
    std::iota(positions, positions + count, std::int64_t{0});
    std::stable_sort(positions, positions + count,
                     [&](std::int64_t a, std::int64_t b) { return numbers[a] < numbers[b]; });
    return;
  }
  const Workspace<std::int64_t> next(size + 1);
  next.zero();
  for (std::int64_t n = 0; n < count; ++n) ++next[numbers[n] + 1];
  std::partial_sum(next.data(), next.data() + size, next.data());
  for (std::int64_t n = 0; n < count; ++n) positions[next[numbers[n]]++] = n;
}

class Slices {
 public:
  Slices(const Tensor& x, int dim, const Tensor& source)
      : step_(x.stride(dim)),
        x_{0, x.dtype(), elements_of(x)},
        source_(elements_of(source)),
        size_(size_of(x.dtype())),
        source_step_(source.stride(dim) * size_),
        compute_(compute_type(x.dtype())),
        sum_bytes_(size_of(compute_)),
        add_rows_(add_rows_loop(x.dtype())) {
    const Tensor slices[] = {x.select(dim, 0), source.select(dim, 0)};
    const Layout* layouts[] = {&slices[0].layout(), &slices[1].layout()};
    walk_ = plan_walk(layouts);
  }

  // Threads share the terms evenly; each takes the slices whose first term is among its own.
  void add(const std::int64_t* positions, const std::int64_t* numbers, std::int64_t terms) const {
    const auto is_first = [&](std::int64_t at) {
      return at == 0 || numbers[positions[at]] != numbers[positions[at - 1]];
    };
    parallel_for(terms, grain(), [&](std::int64_t first, std::int64_t last) {
      BoxReader reader;
      reader.open(walk_, x_, compute_, compute_);
      BoxWriter writer(walk_, x_, compute_, false);
      while (first < last && !is_first(first)) ++first;
      for (std::int64_t end = first; first < last; first = end) {
        do ++end;
        while (end < terms && !is_first(end));
        add_slice(numbers[positions[first]], {positions + first, end - first, terms - first},
                  reader, writer);
      }
    });
  }

 private:
  // Rows of the source that belong to a slice, and how many more are known.
  struct Terms {
    const std::int64_t* rows;
    std::int64_t count, known;
  };

  std::int64_t grain() const {
    return std::max<std::int64_t>(1, (32 << 10) / (walk_.boxes() * walk_.columns * walk_.rows));
  }

  void add_slice(std::int64_t slice, const Terms& order, BoxReader& reader,
                 BoxWriter& writer) const {
    BoxBuffer sums;
    for (std::int64_t b = 0; b < walk_.boxes(); ++b) {
      Box box = box_at(walk_, b);
      box.start[0] += slice * step_;
      std::memcpy(sums.bytes, reader.read(box),
                  static_cast<std::size_t>(box.columns * box.rows * sum_bytes_));
      add_terms(sums.bytes, box, order);
      writer.write(box, sums.bytes);
    }
  }

  void add_terms(std::byte* sums, const Box& box, const Terms& order) const {
    const auto& s = walk_.strides[1];
    for (std::int64_t r = 0; r < box.rows; ++r) {
      const std::byte* row = source_ + (box.start[1] + r * s[1]) * size_;
      add_rows_(sums + r * box.columns * sum_bytes_, box.columns, {row, source_step_, s[0] * size_},
                order.rows, order.count, order.known, terms_of_a_sum);
    }
  }

  Walk walk_;  // over a slice of (0) x and (1) the source
  std::int64_t step_;
  Operand x_;
  const std::byte* source_;
  std::int64_t size_, source_step_;
  DType compute_;
  std::int64_t sum_bytes_;
  AddRows add_rows_;
};

}  // namespace

void add_slices(const Tensor& x, int dim, const Tensor& list, const Tensor& source) {
  const std::int64_t count = list.numel();
  const Workspace<std::int64_t> numbers(count), positions(count);
  if (list.dtype() == DType::int64)
    for (std::int64_t n = 0; n < count; ++n)
      numbers[n] = list.data<std::int64_t>()[n * list.stride(0)];
  else
    for (std::int64_t n = 0; n < count; ++n)
      numbers[n] = list.data<std::int32_t>()[n * list.stride(0)];
  sort_positions(positions.data(), numbers.data(), count, x.size(dim));
  Slices(x, dim, source).add(positions.data(), numbers.data(), count);
}

}  // namespace napkin::cpu
