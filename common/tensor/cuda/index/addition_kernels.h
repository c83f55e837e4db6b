// The kernels that add by position, as structs that GPU and host run (gpu/launch.h): for few rows,
// and in no order. sorted_addition_kernels.h has those for many rows.
//
// Every term has a number, its item: position along the dimension of the index x lines + line.
#pragma once
#include "common/tensor/cuda/index/index_kernels.h"
#include "common/tensor/rules/sums.h"

namespace napkin::cuda {

// The sum in Compute, integers wrapping around.
template <class Compute>
NAPKIN_HD Compute plus(Compute a, Compute b) {
  if constexpr (std::is_same_v<Compute, std::int64_t>)
    return static_cast<Compute>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}

// What is added where, by whichever kernel. Places are in bytes from the first elements.
struct Additions {
  Places<3> lines;    // x, source, index
  Places<2> columns;  // x and source, within an item
  std::int64_t line_count, column_count, positions;
  std::int64_t x_step, source_step, index_step;  // along dim
  std::byte* x;
  const std::byte* source;
  DType dtype;
  Index index;

  NAPKIN_HD std::int64_t items() const { return positions * line_count; }
  NAPKIN_HD std::int64_t position(std::int64_t item) const {
    return line_count == 1 ? item : item / line_count;
  }
  NAPKIN_HD std::int64_t run(std::int64_t item) const { return position(item) / terms_of_a_sum; }
  // Places of a key: line x size + number.
  NAPKIN_HD std::int64_t keys() const { return line_count * index.size; }
  NAPKIN_HD std::int64_t x_place(std::int64_t key) const {
    if (line_count == 1) return key * x_step;
    std::int64_t place[3];
    lines.find(key / index.size, place);
    return place[0] + key % index.size * x_step;
  }
  NAPKIN_HD std::int64_t source_place(std::int64_t item) const {
    if (line_count == 1) return item * source_step;
    std::int64_t place[3];
    lines.find(item % line_count, place);
    return place[1] + position(item) * source_step;
  }
  NAPKIN_HD std::int64_t index_place(std::int64_t item) const {
    if (line_count == 1) return item * index_step;
    std::int64_t place[3];
    lines.find(item % line_count, place);
    return place[2] + position(item) * index_step;
  }
};

// Sums of neighbouring columns: of 4 of FP32, or of one of any dtype.
template <class Compute, int width>
struct Columns {
  using Sums = Packet<Compute, width>;

  Additions a;

  NAPKIN_HD Sums read(const std::byte* from) const {
    if constexpr (width > 1) return *reinterpret_cast<const Sums*>(from);
    return {{read_element<Compute>(from, a.dtype, a.dtype)}};
  }
  NAPKIN_HD void write(std::byte* to, const Sums& s) const {
    if constexpr (width > 1)
      *reinterpret_cast<Sums*>(to) = s;
    else
      write_element(to, a.dtype, s.elements[0]);
  }
  NAPKIN_HD static void add(Sums& sum, const Sums& term) {
    for (int c = 0; c < width; ++c) sum.elements[c] = plus(sum.elements[c], term.elements[c]);
  }
};

// For few rows and terms, sorted and summed in one launch: a block looks through the whole index
// for its row of x. Groups of threads, one a packet of columns, share the runs of the index.
template <class Compute, int width>
struct ScanRows : Columns<Compute, width> {
  using Sums = Packet<Compute, width>;
  static constexpr int threads = 256, room = 32 << 10;
  static constexpr std::int64_t most_sums = room / std::int64_t{sizeof(Sums)};

  // [run][column], and whether the run has any terms.
  struct Shared {
    Sums sums[most_sums];
    bool has_terms[most_sums];
  };

  NAPKIN_HD std::int64_t runs() const {
    return (this->a.positions + terms_of_a_sum - 1) / terms_of_a_sum;
  }
  // Whether there is room for the sums, and threads for the columns.
  bool is_possible() const {
    return this->a.line_count == 1 && this->a.column_count <= threads &&
           runs() * this->a.column_count <= most_sums;
  }
  NAPKIN_HD static constexpr int phases() { return 2; }

  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    const std::int64_t columns = this->a.column_count, groups = threads / columns;
    const std::int64_t group = at.index / columns, column = at.index - group * columns;
    std::int64_t place[2];
    this->a.columns.find(column, place);
    std::byte* x = this->a.x + at.block * this->a.x_step + place[0];
    const std::byte* source = this->a.source + place[1];
    if (phase == 0 && group < groups)
      for (std::int64_t s = group; s < runs(); s += groups) {
        const bool any = scan(at.block, s, x, source, shared.sums[s * columns + column]);
        if (column == 0) shared.has_terms[s] = any;
      }
    if (phase == 1 && group == 0) join(x, column, shared);
  }

  // Sums the terms of a run, the first one onto x; whether there are any.
  NAPKIN_HD bool scan(std::int64_t row, std::int64_t run, const std::byte* x,
                      const std::byte* source, Sums& result) const {
    const std::int64_t first = run * terms_of_a_sum;
    std::int64_t end = first + terms_of_a_sum;
    if (end > this->a.positions) end = this->a.positions;
    Sums sum = run == 0 ? this->read(x) : Sums{};
    bool any = run == 0;
    for (std::int64_t n = first; n < end; ++n) {
      const std::int64_t place = n * this->a.index_step;
      // One block looks for bad indices.
      const auto& index = this->a.index;
      if ((row == 0 ? index.at(place) : index.unchecked(place)) != row) continue;
      this->add(sum, this->read(source + n * this->a.source_step));
      any = true;
    }
    result = sum;
    return any;
  }

  NAPKIN_HD void join(std::byte* x, std::int64_t column, const Shared& shared) const {
    Sums total = shared.sums[column];
    for (std::int64_t s = 1; s < runs(); ++s)
      if (shared.has_terms[s]) this->add(total, shared.sums[s * this->a.column_count + column]);
    this->write(x, total);
  }
};

// x += term where no other thread may come between; their order is anybody's guess. What is
// smaller than 4 bytes is a part of a word of 4.
template <class T>
NAPKIN_HD void add_atomically(T* x, Computed<T> term) {
#ifdef __CUDA_ARCH__
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  if constexpr (std::is_floating_point_v<T>) {
    atomicAdd(x, term);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(x);
    auto* word = reinterpret_cast<Word*>(address & ~std::uintptr_t{sizeof(Word) - 1});
    const std::size_t offset = address % sizeof(Word);
    Word before = *word, seen;
    do {
      seen = before;
      Word after = seen;
      T* element = reinterpret_cast<T*>(reinterpret_cast<std::byte*>(&after) + offset);
      *element = convert<T>(plus(convert<Computed<T>>(*element), term));
      before = atomicCAS(word, seen, after);
    } while (before != seen);
  }
#else
  *x = convert<T>(plus(convert<Computed<T>>(*x), term));
#endif
}

template <class Compute>
struct AddRacy {
  Places<3> places;  // source, x but along dim, index
  std::int64_t count;
  Additions a;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() >= count) return;
    std::int64_t place[3];
    places.find(at.number(), place);
    const std::int64_t number = a.index.at(place[2]);
    if (number < 0) return;
    visit_computed<Compute>(a.dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      add_atomically(reinterpret_cast<T*>(a.x + place[1] + number * a.x_step),
                     read_as<Compute, T>(a.source + place[0]));
    });
  }
};

}  // namespace napkin::cuda
