// Slices added by number, in the order of the numbers: the positions are sorted by number, so that
// what comes to one slice of x stands together, and cut into sums of 256 terms. Every sum may be
// worked out by another thread; those of one slice are then added up in their order.
#include <algorithm>
#include <numeric>
#include <vector>

#include "common/core/parallel.h"
#include "common/tensor/fast/add_rows_loops.h"
#include "common/tensor/fast/boxes.h"
#include "common/tensor/fast/index_cpu.h"
#include "common/tensor/fast/workspace.h"

namespace napkin::fast {
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

// Terms of one slice of x: sorted positions [first, last).
struct Part {
  std::int64_t slice, first, last;
  bool begins;           // with x's own value
  std::int64_t partial;  // where its sum is kept; -1 where the slice has no other part
};

// Slices with several parts: sums [first, last) belong to one of them.
struct Rest {
  std::int64_t slice, first, last;
};

struct Parts {
  std::vector<Part> parts;
  std::vector<Rest> rests;
  std::int64_t partials = 0;
};

Parts cut(const std::int64_t* positions, const std::int64_t* numbers, std::int64_t count) {
  Parts result;
  for (std::int64_t first = 0, last = 0; first < count; first = last) {
    const std::int64_t slice = numbers[positions[first]];
    while (last < count && numbers[positions[last]] == slice) ++last;
    const bool alone = last - first <= terms_of_a_sum;
    const std::int64_t begin = result.partials;
    for (std::int64_t at = first; at < last; at += terms_of_a_sum)
      result.parts.push_back({slice, at, std::min(last, at + terms_of_a_sum), at == first,
                              alone ? -1 : result.partials++});
    if (!alone) result.rests.push_back({slice, begin, result.partials});
  }
  return result;
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
    box_bytes_ = walk_.columns * walk_.rows * sum_bytes_;
  }

  void add(const std::int64_t* positions, const Parts& p, std::int64_t terms) {
    const Workspace<std::byte> partials(p.partials * walk_.boxes() * box_bytes_);
    // Threads share the terms evenly; each takes the parts that begin among its own.
    parallel_for(terms, grain(), [&](std::int64_t first, std::int64_t last) {
      const auto begins_before = [](const Part& part, std::int64_t at) { return part.first < at; };
      const auto begin = std::lower_bound(p.parts.begin(), p.parts.end(), first, begins_before);
      const auto end = std::lower_bound(begin, p.parts.end(), last, begins_before);
      add_parts({begin, end}, positions, partials.data());
    });
    parallel_for(static_cast<std::int64_t>(p.rests.size()), 1,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t n = first; n < last; ++n)
                     add_rest(p.rests[static_cast<std::size_t>(n)], partials.data());
                 });
  }

 private:
  struct Ends {
    std::vector<Part>::const_iterator first, last;
  };

  std::int64_t grain() const {
    return std::max<std::int64_t>(1, (32 << 10) / (walk_.boxes() * walk_.columns * walk_.rows));
  }

  Box box_of(std::int64_t number, std::int64_t slice) const {
    Box box = box_at(walk_, number);
    box.start[0] += slice * step_;
    return box;
  }

  // The sums of box b of a slice's part.
  std::byte* place(std::byte* partials, std::int64_t part, std::int64_t b) const {
    return partials + (part * walk_.boxes() + b) * box_bytes_;
  }

  void add_parts(Ends ends, const std::int64_t* positions, std::byte* partials) const {
    BoxReader reader;
    reader.open(walk_, x_, compute_, compute_);
    BoxWriter writer(walk_, x_, compute_, false);
    BoxBuffer buffer;
    for (auto part = ends.first; part != ends.last; ++part)
      for (std::int64_t b = 0; b < walk_.boxes(); ++b) {
        const Box box = box_of(b, part->slice);
        std::byte* sums = part->partial < 0 ? buffer.bytes : place(partials, part->partial, b);
        const auto bytes = static_cast<std::size_t>(box.columns * box.rows * sum_bytes_);
        if (part->begins)
          std::memcpy(sums, reader.read(box), bytes);
        else
          std::memset(sums, 0, bytes);
        add_terms(sums, box, positions + part->first, part->last - part->first);
        if (part->partial < 0) writer.write(box, sums);
      }
  }

  void add_terms(std::byte* sums, const Box& box, const std::int64_t* order,
                 std::int64_t count) const {
    const auto& s = walk_.strides[1];
    for (std::int64_t r = 0; r < box.rows; ++r) {
      const std::byte* row = source_ + (box.start[1] + r * s[1]) * size_;
      add_rows_(sums + r * box.columns * sum_bytes_, box.columns, {row, source_step_, s[0] * size_},
                order, count);
    }
  }

  void add_rest(const Rest& rest, std::byte* partials) const {
    const AddRows add_sums = add_rows_loop(compute_);
    BoxWriter writer(walk_, x_, compute_, false);
    std::vector<std::int64_t> order(static_cast<std::size_t>(rest.last - rest.first - 1));
    std::iota(order.begin(), order.end(), std::int64_t{1});
    for (std::int64_t b = 0; b < walk_.boxes(); ++b) {
      const Box box = box_of(b, rest.slice);
      std::byte* sums = place(partials, rest.first, b);
      add_sums(sums, box.columns * box.rows, {sums, walk_.boxes() * box_bytes_, sum_bytes_},
               order.data(), rest.last - rest.first - 1);
      writer.write(box, sums);
    }
  }

  Walk walk_;  // over a slice of (0) x and (1) the source
  std::int64_t step_;
  Operand x_;
  const std::byte* source_;
  std::int64_t size_, source_step_;
  DType compute_;
  std::int64_t sum_bytes_, box_bytes_ = 0;
  AddRows add_rows_;
};

}  // namespace

void add_slices_on_cpu(const Tensor& x, int dim, const Tensor& list, const Tensor& source) {
  const std::int64_t count = list.numel();
  const Workspace<std::int64_t> numbers(count), positions(count);
  if (list.dtype() == DType::int64)
    for (std::int64_t n = 0; n < count; ++n)
      numbers[n] = list.data<std::int64_t>()[n * list.stride(0)];
  else
    for (std::int64_t n = 0; n < count; ++n)
      numbers[n] = list.data<std::int32_t>()[n * list.stride(0)];
  sort_positions(positions.data(), numbers.data(), count, x.size(dim));
  const Parts parts = cut(positions.data(), numbers.data(), count);
  Slices(x, dim, source).add(positions.data(), parts, count);
}

}  // namespace napkin::fast
