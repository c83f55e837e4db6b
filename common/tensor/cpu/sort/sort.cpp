// Sorting on the CPU: line by line with the standard library, lines shared among threads.
#include "common/tensor/cpu/sort/sort.h"

#include <algorithm>

#include "common/core/parallel.h"
#include "common/numeric/order_key.h"
#include "common/tensor/create.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/cpu/workspace.h"

namespace napkin::cpu {
namespace {

// An element as its key in the order asked for (order_key.h) and its position: no two are equal, so
// that any way of sorting them is stable.
template <class Key, class Position>
struct Entry {
  Key key;
  Position position;
  friend bool operator<(Entry a, Entry b) {
    if constexpr (sizeof(Key) + sizeof(Position) <= 8)  // as one number, without a branch
      return (std::uint64_t{a.key} << 32 | a.position) < (std::uint64_t{b.key} << 32 | b.position);
    else
      return a.key < b.key || (a.key == b.key && a.position < b.position);
  }
};

// A line of x, and room for its first k elements and their positions.
template <class T>
struct Line {
  const T* x;
  T* values;
  std::int64_t* indices;
  std::int64_t size, k;
};

// Few of many are selected without sorting the others.
template <class T, class Entry>
void sort_line(const Line<T>& line, bool descending, Entry* entries) {
  using Key = OrderKey<T>;
  const Key turned = descending ? static_cast<Key>(~Key{0}) : Key{0};
  for (std::int64_t i = 0; i < line.size; ++i)
    entries[i] = {static_cast<Key>(order_key(line.x[i]) ^ turned),
                  static_cast<decltype(Entry::position)>(i)};
  Entry* const end = entries + line.size;
  if (line.k <= line.size / 8)
    std::partial_sort(entries, entries + line.k, end);
  else
    std::sort(entries, end);
  for (std::int64_t i = 0; i < line.k; ++i) {
    line.indices[i] = static_cast<std::int64_t>(entries[i].position);
    line.values[i] = line.x[line.indices[i]];
  }
}

// Lines that stand one behind the other in memory, and so do their results.
template <class Position, class T>
void sort_lines(const Line<T>& first_line, std::int64_t count, bool descending) {
  const std::int64_t size = first_line.size;
  const std::int64_t grain = std::max<std::int64_t>(1, (16 << 10) / size);
  parallel_for(count, grain, [&](std::int64_t first, std::int64_t last) {
    const Workspace<Entry<OrderKey<T>, Position>> entries(size);
    for (std::int64_t n = first; n < last; ++n) {
      Line<T> line = first_line;
      line.x += n * line.size;
      line.values += n * line.k;
      line.indices += n * line.k;
      sort_line(line, descending, entries.data());
    }
  });
}

// x seen with dim as its last dimension and unbroken: itself, or new memory.
Tensor lined_up(const Tensor& x, int dim, bool with_elements) {
  const Tensor turned = x.transpose(dim, -1);
  if (turned.is_contiguous()) return turned;
  const Tensor lines = empty(turned.shape(), {.dtype = x.dtype(), .category = Category::temporary});
  if (with_elements) copy(lines, turned);
  return lines;
}

void bring_back(const Tensor& to, int dim, const Tensor& lines) {
  if (!lines.shares_storage(to)) copy(to.transpose(dim, -1), lines);
}

}  // namespace

void sort(const Sorted& to, const Tensor& x, int dim, bool descending) {
  const Tensor from = lined_up(x, dim, true);
  const Sorted sorted{lined_up(to.values, dim, false), lined_up(to.indices, dim, false)};
  visit(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Line<T> line{from.data<T>(), sorted.values.data<T>(), sorted.indices.data<std::int64_t>(),
                       x.size(dim), to.values.size(dim)};
    const std::int64_t lines = x.numel() / line.size;
    if (line.size <= std::int64_t{1} << 32)
      sort_lines<std::uint32_t>(line, lines, descending);
    else
      sort_lines<std::int64_t>(line, lines, descending);
  });
  bring_back(to.values, dim, sorted.values);
  bring_back(to.indices, dim, sorted.indices);
}

}  // namespace napkin::cpu
