// Sorting on the CPU: row by row with the standard library, rows shared among threads.
#include "common/tensor/cpu/sort/sort.h"

#include <algorithm>

#include "common/core/parallel.h"
#include "common/numeric/order_key.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/cpu/workspace.h"
#include "common/tensor/create.h"

namespace napkin::cpu {
namespace {

// An element as its key in the order asked for (order_key.h) and its position: no two are equal, so
// that any way of sorting them is stable.
template <class Key, class Position>
struct Entry {
  Key key;
  Position position;
  friend bool operator<(Entry a, Entry b) {
    return a.key < b.key || (a.key == b.key && a.position < b.position);
  }
};

// A row of x, and room for its first k elements and their positions.
template <class T>
struct Row {
  const T* x;
  T* values;
  std::int64_t* indices;
  std::int64_t size, k;
};

// Few of many are selected without sorting the others.
template <class T, class Entry>
void sort_row(const Row<T>& row, bool descending, Entry* entries) {
  using Key = OrderKey<T>;
  const Key turned = descending ? static_cast<Key>(~Key{0}) : Key{0};
  for (std::int64_t i = 0; i < row.size; ++i)
    entries[i] = {static_cast<Key>(order_key(row.x[i]) ^ turned),
                  static_cast<decltype(Entry::position)>(i)};
  Entry* const end = entries + row.size;
  Entry* const middle = entries + row.k;
  if (row.k <= row.size / 8) std::nth_element(entries, middle, end);
  std::sort(entries, row.k <= row.size / 8 ? middle : end);
  for (std::int64_t i = 0; i < row.k; ++i) {
    row.indices[i] = static_cast<std::int64_t>(entries[i].position);
    row.values[i] = row.x[row.indices[i]];
  }
}

// Rows that stand one behind the other in memory, and so do their results.
template <class Position, class T>
void sort_rows(const Row<T>& first_row, std::int64_t count, bool descending) {
  const std::int64_t size = first_row.size;
  const std::int64_t grain = std::max<std::int64_t>(1, (16 << 10) / size);
  parallel_for(count, grain, [&](std::int64_t first, std::int64_t last) {
    const Workspace<Entry<OrderKey<T>, Position>> entries(size);
    for (std::int64_t n = first; n < last; ++n) {
      Row<T> row = first_row;
      row.x += n * row.size;
      row.values += n * row.k;
      row.indices += n * row.k;
      sort_row(row, descending, entries.data());
    }
  });
}

// x seen with dim as its last dimension and unbroken: itself, or new memory.
Tensor lined_up(const Tensor& x, int dim, bool with_elements) {
  const Tensor turned = x.transpose(dim, -1);
  if (turned.is_contiguous()) return turned;
  const Tensor rows = empty(turned.shape(), {.dtype = x.dtype(), .category = Category::temporary});
  if (with_elements) copy(rows, turned);
  return rows;
}

void bring_back(const Tensor& to, int dim, const Tensor& rows) {
  if (!rows.shares_storage(to)) copy(to.transpose(dim, -1), rows);
}

}  // namespace

void sort(const Sorted& to, const Tensor& x, int dim, bool descending) {
  const Tensor from = lined_up(x, dim, true);
  const Sorted sorted{lined_up(to.values, dim, false), lined_up(to.indices, dim, false)};
  visit(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Row<T> row{from.data<T>(), sorted.values.data<T>(), sorted.indices.data<std::int64_t>(),
                     x.size(dim), to.values.size(dim)};
    const std::int64_t rows = x.numel() / row.size;
    if (row.size <= std::int64_t{1} << 32)
      sort_rows<std::uint32_t>(row, rows, descending);
    else
      sort_rows<std::int64_t>(row, rows, descending);
  });
  bring_back(to.values, dim, sorted.values);
  bring_back(to.indices, dim, sorted.indices);
}

}  // namespace napkin::cpu
