// The kernels that add by position in a fixed order, by way of a sort, as structs that GPU and host
// run (gpu/launch.h).
//
// Terms are sorted by the place they go to, which leaves those of one place in the order of the
// index. Each part of them that lies in one run (index.h) is added up by one thread, then the
// parts of a place by another.
#pragma once
#include "common/tensor/cuda/index/addition_kernels.h"

namespace napkin::cuda {

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
                a.run(terms.items[i]) != a.run(terms.items[i - 1]);
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
  NAPKIN_HD bool in_first_run(std::int64_t part) const {
    return this->a.run(terms.items[begins[part]]) == 0;
  }

  // The thread's part and column, if it has any.
  NAPKIN_HD bool find(const gpu::Thread& at, std::int64_t& part, std::int64_t& column) const {
    if (at.number() >= most * this->a.column_count) return false;
    part = at.number() / this->a.column_count;
    column = at.number() - part * this->a.column_count;
    return part < *count && key(part) < this->a.keys();
  }
};

// Adds up the terms of each part: onto x's value where it lies in the first run. Where a place
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
    const bool onto_x = this->in_first_run(part);
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
    if (!this->in_first_run(part)) {
      total = this->read(x);
      this->add(total, sum(part));
    }
    while (this->continues_after(part)) this->add(total, sum(++part));
    this->write(x, total);
  }
};

}  // namespace napkin::cuda
