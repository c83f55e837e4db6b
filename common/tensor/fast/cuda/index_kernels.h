// The kernels that pick and add by position, as structs that GPU and host run (gpu/launch.h).
//
// Additions in a fixed order: terms are sorted by the place they go to, which leaves those of one
// place in the order of the index; each part of them that lies in one stretch (index.h) is added up
// by one thread, then the parts of a place by another. Every term has a number, its item: position
// along the dimension of the index x lines + line.
#pragma once
#include "common/gpu/fault.h"
#include "common/gpu/launch.h"
#include "common/tensor/fast/cuda/elements.h"
#include "common/tensor/fast/cuda/places.h"
#include "common/tensor/fast/index_cpu.h"

namespace napkin::fast::cuda {

struct Index {
  const std::byte* data;
  bool wide;          // int64, else int32
  std::int64_t size;  // what it points into
  gpu::FaultReporter faults;

  NAPKIN_HD std::int64_t unchecked(std::int64_t place) const {
    return wide ? *reinterpret_cast<const std::int64_t*>(data + place)
                : *reinterpret_cast<const std::int32_t*>(data + place);
  }
  // The number there; -1, reported, where it is not in [0, size - 1].
  NAPKIN_HD std::int64_t at(std::int64_t place) const {
    const std::int64_t number = unchecked(place);
    if (number >= 0 && number < size) return number;
    faults.report(number, size);
    return -1;
  }
};

// result[i] = x[i, index[i] in place of i_dim], an Element (one or several neighbours) a thread.
template <class Element>
struct Pick {
  Places<3> places;  // result, x but along dim, index
  std::int64_t count;
  std::byte* to;
  const std::byte* from;
  std::int64_t along;  // bytes of x's step along dim
  Index index;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    if (at.number() >= count) return;
    std::int64_t place[3];
    places.find(at.number(), place);
    const std::int64_t number = index.at(place[2]);
    if (number < 0) return;
    *reinterpret_cast<Element*>(to + place[0]) =
        *reinterpret_cast<const Element*>(from + place[1] + number * along);
  }
};

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
  NAPKIN_HD std::int64_t stretch(std::int64_t item) const {
    return position(item) / stretch_of_terms;
  }
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

// For every item the key of its place; bad indices get the largest of all.
struct FindKeys {
  Additions a;
  std::uint64_t* keys;
  std::uint32_t* items;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t item = at.number();
    if (item >= a.items()) return;
    const std::int64_t number = a.index.at(a.index_place(item));
    const std::int64_t line = a.line_count == 1 ? 0 : item % a.line_count;
    keys[item] = static_cast<std::uint64_t>(number < 0 ? a.keys() : line * a.index.size + number);
    items[item] = static_cast<std::uint32_t>(item);
  }
};

// The terms, sorted.
struct SortedTerms {
  const std::uint64_t* keys;
  const std::uint32_t* items;
  std::int64_t count;
};

// Marks the first term of every part.
struct MarkParts {
  Additions a;
  SortedTerms terms;
  std::uint8_t* begins;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    const std::int64_t i = at.number();
    if (i >= terms.count) return;
    begins[i] = i == 0 || terms.keys[i] != terms.keys[i - 1] ||
                a.stretch(terms.items[i]) != a.stretch(terms.items[i - 1]);
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

// Threads count (part, packet of columns).
template <class Compute, int width>
struct Parts : Columns<Compute, width> {
  using Sums = Packet<Compute, width>;

  SortedTerms terms;
  const std::uint32_t* begins;  // the first term of each part
  const std::uint32_t* count;   // of parts
  std::int64_t most;            // that there can be
  Sums* sums;                   // [part][column]

  NAPKIN_HD std::int64_t key(std::int64_t part) const {
    return static_cast<std::int64_t>(terms.keys[begins[part]]);
  }
  NAPKIN_HD std::int64_t end(std::int64_t part) const {
    return part + 1 < *count ? begins[part + 1] : terms.count;
  }
  NAPKIN_HD bool continues_before(std::int64_t part) const {
    return part > 0 && key(part - 1) == key(part);
  }
  NAPKIN_HD bool continues_after(std::int64_t part) const {
    return part + 1 < *count && key(part + 1) == key(part);
  }
  NAPKIN_HD bool in_first_stretch(std::int64_t part) const {
    return this->a.stretch(terms.items[begins[part]]) == 0;
  }

  // The thread's part and column, if it has any.
  NAPKIN_HD bool find(const gpu::Thread& at, std::int64_t& part, std::int64_t& column) const {
    if (at.number() >= most * this->a.column_count) return false;
    part = at.number() / this->a.column_count;
    column = at.number() - part * this->a.column_count;
    return part < *count && key(part) < this->a.keys();
  }
};

// Adds up the terms of each part: onto x's value where it lies in the first stretch. Where a place
// has no other part, that is all.
template <class Compute, int width>
struct SumParts : Parts<Compute, width> {
  using Base = Parts<Compute, width>;
  using Sums = typename Base::Sums;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    constexpr int at_once = 4;  // terms asked for together
    std::int64_t part, column, place[2];
    if (!this->find(at, part, column)) return;
    this->a.columns.find(column, place);
    std::byte* x = this->a.x + this->a.x_place(this->key(part)) + place[0];
    const std::byte* source = this->a.source + place[1];
    const bool onto_x = this->in_first_stretch(part);
    Sums sum = onto_x ? this->read(x) : Sums{};
    const std::uint32_t* items = this->terms.items;
    std::int64_t i = this->begins[part];
    const std::int64_t end = this->end(part);
    for (; i + at_once <= end; i += at_once) {
      Sums next[at_once];
      for (int k = 0; k < at_once; ++k)
        next[k] = this->read(source + this->a.source_place(items[i + k]));
      for (int k = 0; k < at_once; ++k) this->add(sum, next[k]);
    }
    for (; i < end; ++i) this->add(sum, this->read(source + this->a.source_place(items[i])));
    if (this->continues_before(part) || this->continues_after(part)) {
      this->sums[part * this->a.column_count + column] = sum;
      return;
    }
    Sums total = onto_x ? sum : this->read(x);
    if (!onto_x) this->add(total, sum);
    this->write(x, total);
  }
};

// Adds up the parts of each place that has several.
template <class Compute, int width>
struct JoinParts : Parts<Compute, width> {
  using Base = Parts<Compute, width>;
  using Sums = typename Base::Sums;

  NAPKIN_HD void operator()(const gpu::Thread& at) const {
    std::int64_t part, column, place[2];
    if (!this->find(at, part, column)) return;
    if (this->continues_before(part) || !this->continues_after(part)) return;
    this->a.columns.find(column, place);
    std::byte* x = this->a.x + this->a.x_place(this->key(part)) + place[0];
    const auto sum = [&](std::int64_t p) { return this->sums[p * this->a.column_count + column]; };
    Sums total = sum(part);
    if (!this->in_first_stretch(part)) {
      total = this->read(x);
      this->add(total, sum(part));
    }
    while (this->continues_after(part)) this->add(total, sum(++part));
    this->write(x, total);
  }
};

// For few rows and terms, sorted and summed in one launch: a block looks through the whole index
// for its row of x. Groups of threads, one a packet of columns, share the stretches of the index.
template <class Compute, int width>
struct ScanRows : Columns<Compute, width> {
  using Sums = Packet<Compute, width>;
  static constexpr int threads = 256, room = 32 << 10;
  static constexpr std::int64_t most_sums = room / std::int64_t{sizeof(Sums)};

  // [stretch][column], and whether the stretch has any terms.
  struct Shared {
    Sums sums[most_sums];
    bool has_terms[most_sums];
  };

  NAPKIN_HD std::int64_t stretches() const {
    return (this->a.positions + stretch_of_terms - 1) / stretch_of_terms;
  }
  // Whether there is room for the sums, and threads for the columns.
  bool is_possible() const {
    return this->a.line_count == 1 && this->a.column_count <= threads &&
           stretches() * this->a.column_count <= most_sums;
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
      for (std::int64_t s = group; s < stretches(); s += groups) {
        const bool any = scan(at.block, s, x, source, shared.sums[s * columns + column]);
        if (column == 0) shared.has_terms[s] = any;
      }
    if (phase == 1 && group == 0) join(x, column, shared);
  }

  // Sums the terms of a stretch, the first one onto x; whether there are any.
  NAPKIN_HD bool scan(std::int64_t row, std::int64_t stretch, const std::byte* x,
                      const std::byte* source, Sums& result) const {
    const std::int64_t first = stretch * stretch_of_terms;
    std::int64_t end = first + stretch_of_terms;
    if (end > this->a.positions) end = this->a.positions;
    Sums sum = stretch == 0 ? this->read(x) : Sums{};
    bool any = stretch == 0;
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
    for (std::int64_t s = 1; s < stretches(); ++s)
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
      *element = converted<T>(plus(converted<Computed<T>>(*element), term));
      before = atomicCAS(word, seen, after);
    } while (before != seen);
  }
#else
  *x = converted<T>(plus(converted<Computed<T>>(*x), term));
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

}  // namespace napkin::fast::cuda
