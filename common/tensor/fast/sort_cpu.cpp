// Lines are sorted as entries: an element's key (order_key.h) above its position, in one integer.
// Entries are all different, so any way of sorting them is stable.
#include "common/tensor/fast/sort_cpu.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/core/parallel.h"
#include "common/numeric/order_key.h"
#include "common/tensor/create.h"
#include "common/tensor/fast/copy_cpu.h"
#include "common/tensor/fast/order_loops.h"
#include "common/tensor/fast/workspace.h"

namespace napkin::fast {
namespace {

__extension__ using uint128 = unsigned __int128;

// Half of an entry each, for key and position.
template <class Entry>
constexpr int position_bits = sizeof(Entry) * 4;

template <class Entry, class T>
Entry entry(T x, bool flip, std::int64_t position) {
  using Key = OrderKey<T>;
  const auto key = static_cast<Key>(flip ? ~order_key(x) : order_key(x));
  return static_cast<Entry>(key) << position_bits<Entry> | static_cast<Entry>(position);
}

template <class Entry>
std::int64_t position_of(Entry e) {
  return static_cast<std::int64_t>(e & ((Entry{1} << position_bits<Entry>)-1));
}

// Entries that stand in the order of their positions are sorted by their keys of so many bits, 8
// bits at a time from the lowest. Threads share the entries; the pieces stay in order. Returns
// where the result is, one of the two.
template <class Entry>
Entry* sort_by_digits(Entry* from, Entry* to, std::int64_t count, int key_bits) {
  constexpr int digit_bits = 8, digits = 1 << digit_bits;
  using Counts = std::array<std::int64_t, digits>;
  const std::int64_t pieces = std::clamp<std::int64_t>(count >> 15, 1, threads());
  const Workspace<Counts> counts(pieces);
  const auto each_piece = [&](auto&& body) {
    parallel_for(pieces, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p)
        body(counts[p], count * p / pieces, count * (p + 1) / pieces);
    });
  };
  for (int shift = 0; shift < key_bits; shift += digit_bits) {
    const auto digit = [shift](Entry e) {
      return static_cast<std::size_t>(e >> (position_bits<Entry> + shift)) % digits;
    };
    each_piece([&](Counts& c, std::int64_t first, std::int64_t last) {
      c.fill(0);
      for (std::int64_t i = first; i < last; ++i) ++c[digit(from[i])];
    });
    std::int64_t next = 0, largest = 0;
    for (std::size_t d = 0; d < digits; ++d) {
      const std::int64_t before = next;
      for (std::int64_t p = 0; p < pieces; ++p) next += std::exchange(counts[p][d], next);
      largest = std::max(largest, next - before);
    }
    if (largest == count) continue;  // one digit for all
    each_piece([&](Counts& c, std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) to[c[digit(from[i])]++] = from[i];
    });
    std::swap(from, to);
  }
  return from;
}

template <class Entry, class T>
void write(const Entry* entries, const T* x, T* values, std::int64_t* indices, std::int64_t k) {
  for (std::int64_t i = 0; i < k; ++i) {
    indices[i] = position_of(entries[i]);
    values[i] = x[indices[i]];
  }
}

template <class Entry, class T>
void sort_line(const T* x, T* values, std::int64_t* indices, std::int64_t size, std::int64_t k,
               bool flip, Entry* entries) {
  constexpr std::int64_t few = 256;
  for (std::int64_t i = 0; i < size; ++i) entries[i] = entry<Entry>(x[i], flip, i);
  if (size <= few)
    std::sort(entries, entries + size);
  else
    entries = sort_by_digits(entries, entries + size, size, int{sizeof(OrderKey<T>)} * 8);
  write(entries, x, values, indices, k);
}

// Entries that select_line holds at most: more than k, unless that is all.
std::int64_t room_for(std::int64_t size, std::int64_t k) {
  return std::min(size, std::max<std::int64_t>(2 * k, 16));
}

// The first k of the sorted line, without sorting it: what may be among them is collected, and cut
// to k whenever the room is full; from then on only what stands before the last of these can be.
template <class Entry, class T>
void select_line(const T* x, T* values, std::int64_t* indices, std::int64_t size, std::int64_t k,
                 bool flip, Entry* entries) {
  const FirstAbove first_above = first_above_loop(dtype_of<T>);
  const std::uint64_t turned = flip ? 0 : ~std::uint64_t{0};
  const std::int64_t room = room_for(size, k);
  std::int64_t held = room;
  OrderKey<T> last{};
  const auto cut = [&] {
    std::nth_element(entries, entries + k - 1, entries + held);
    held = k;
    last = static_cast<OrderKey<T>>(entries[k - 1] >> position_bits<Entry>);
  };
  const auto next = [&](std::int64_t i) {
    return first_above(x, i, size, turned, static_cast<OrderKey<T>>(~last));
  };
  for (std::int64_t i = 0; i < room; ++i) entries[i] = entry<Entry>(x[i], flip, i);
  cut();
  for (std::int64_t i = next(room); i < size; i = next(i + 1)) {
    entries[held++] = entry<Entry>(x[i], flip, i);
    if (held == room) cut();
  }
  if (held > k) cut();
  std::sort(entries, entries + k);
  write(entries, x, values, indices, k);
}

// Lines of x, one behind the other in memory, and room for the results of each.
template <class T>
struct Lines {
  const T* x;
  T* values;
  std::int64_t* indices;
  std::int64_t count, size, k;
};

template <class Entry, class T>
void sort_lines(const Lines<T>& lines, bool flip) {
  const bool selects = lines.k <= lines.size / 8;
  const std::int64_t entries = selects ? room_for(lines.size, lines.k) : 2 * lines.size;
  const std::int64_t grain = std::max<std::int64_t>(1, (16 << 10) / lines.size);
  parallel_for(lines.count, grain, [&](std::int64_t first, std::int64_t last) {
    const Workspace<Entry> space(entries);
    for (std::int64_t n = first; n < last; ++n)
      (selects ? select_line<Entry, T>
               : sort_line<Entry, T>)(lines.x + n * lines.size, lines.values + n * lines.k,
                                      lines.indices + n * lines.k, lines.size, lines.k, flip,
                                      space.data());
  });
}

// x seen with dim as its last dimension and unbroken: itself, or new memory.
Tensor lined_up(const Tensor& x, int dim, bool with_elements) {
  const Tensor turned = x.transpose(dim, -1);
  if (turned.is_contiguous()) return turned;
  const Tensor lines = empty(turned.shape(), {.dtype = x.dtype(), .category = Category::temporary});
  if (with_elements) copy_on_cpu(lines, turned);
  return lines;
}

void bring_back(const Tensor& to, int dim, const Tensor& lines) {
  if (!lines.shares_storage(to)) copy_on_cpu(to.transpose(dim, -1), lines);
}

}  // namespace

void sort_on_cpu(const Sorted& to, const Tensor& x, int dim, bool descending) {
  const Tensor from = lined_up(x, dim, true);
  const Sorted sorted{lined_up(to.values, dim, false), lined_up(to.indices, dim, false)};
  visit(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Lines<T> lines{from.data<T>(),
                         sorted.values.data<T>(),
                         sorted.indices.data<std::int64_t>(),
                         x.numel() / x.size(dim),
                         x.size(dim),
                         to.values.size(dim)};
    if constexpr (sizeof(T) <= 4)
      if (lines.size <= std::int64_t{1} << 32) return sort_lines<std::uint64_t>(lines, descending);
    sort_lines<uint128>(lines, descending);
  });
  bring_back(to.values, dim, sorted.values);
  bring_back(to.indices, dim, sorted.indices);
}

}  // namespace napkin::fast
