// Lines are sorted as entries: an element's key (order_key.h) above its position, in one integer.
// Entries are all different, so any way of sorting them is stable.
#include "common/tensor/cpu/sort/sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "common/core/parallel.h"
#include "common/numeric/order_key.h"
#include "common/tensor/create.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/cpu/sort/order_loops.h"
#include "common/tensor/cpu/workspace.h"

namespace napkin::cpu {
namespace {

__extension__ using uint128 = unsigned __int128;

// Half of an entry each, for key and position.
template <class Entry>
constexpr int position_bits = sizeof(Entry) * 4;

template <class Entry, class Key>
Entry entry(Key key, std::int64_t position) {
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

// Keys in the order asked for, counted from the smallest one.
template <class T>
struct Keys {
  using Key = OrderKey<T>;
  bool descending;
  Key smallest = 0;
  Key operator()(T x) const {
    return static_cast<Key>((descending ? ~order_key(x) : order_key(x)) - smallest);
  }
};

// A line of x, and room for its first k elements and their positions.
template <class T>
struct Line {
  const T* x;
  T* values;
  std::int64_t* indices;
  std::int64_t size, k;

  template <class Entry>
  void write(const Entry* entries) const {
    for (std::int64_t i = 0; i < k; ++i) {
      indices[i] = position_of(entries[i]);
      values[i] = x[indices[i]];
    }
  }
};

template <class T, class Entry>
void sort_entries(const Line<T>& line, Keys<T> keys, int key_bits, Entry* entries) {
  constexpr std::int64_t few = 256;
  const std::int64_t size = line.size;
  for (std::int64_t i = 0; i < size; ++i) entries[i] = entry<Entry>(keys(line.x[i]), i);
  if (size <= few)
    std::sort(entries, entries + size);
  else
    entries = sort_by_digits(entries, entries + size, size, key_bits);
  line.write(entries);
}

bool fit_in_64_bits(int key_bits, std::int64_t size) {
  return key_bits <= 32 && size <= std::int64_t{1} << 32;
}

template <class T>
void sort_line(const Line<T>& line, Keys<T> keys, std::byte* space) {
  OrderKey<T> low = keys(line.x[0]), high = low;
  for (std::int64_t i = 1; i < line.size; ++i) {
    low = std::min(low, keys(line.x[i]));
    high = std::max(high, keys(line.x[i]));
  }
  keys.smallest = low;
  const int bits = static_cast<int>(std::bit_width(static_cast<OrderKey<T>>(high - low)));
  if (fit_in_64_bits(bits, line.size))
    sort_entries(line, keys, bits, reinterpret_cast<std::uint64_t*>(space));
  else
    sort_entries(line, keys, bits, reinterpret_cast<uint128*>(space));
}

// Entries that select_line holds at most: more than k, unless that is all.
std::int64_t room_for(std::int64_t size, std::int64_t k) {
  return std::min(size, std::max<std::int64_t>(2 * k, 16));
}

// The first k of the sorted line, without sorting it: what may be among them is collected, and cut
// to k whenever the room is full; from then on only what stands before the last of these can be.
template <class T, class Entry>
void select_entries(const Line<T>& line, Keys<T> keys, Entry* entries) {
  const auto [x, values, indices, size, k] = line;
  const FirstAbove first_above = first_above_loop(dtype_of<T>);
  const std::uint64_t turned = keys.descending ? 0 : ~std::uint64_t{0};
  const std::int64_t room = room_for(size, k);
  std::int64_t held = room;
  OrderKey<T> last{};
  const auto cut = [&, n = k] {
    std::nth_element(entries, entries + n - 1, entries + held);
    held = n;
    last = static_cast<OrderKey<T>>(entries[n - 1] >> position_bits<Entry>);
  };
  const auto next = [&, p = x, n = size](std::int64_t i) {
    return first_above(p, i, n, turned, static_cast<OrderKey<T>>(~last));
  };
  for (std::int64_t i = 0; i < room; ++i) entries[i] = entry<Entry>(keys(x[i]), i);
  cut();
  for (std::int64_t i = next(room); i < size; i = next(i + 1)) {
    entries[held++] = entry<Entry>(keys(x[i]), i);
    if (held == room) cut();
  }
  if (held > k) cut();
  std::sort(entries, entries + k);
  line.write(entries);
}

template <class T>
void select_line(const Line<T>& line, Keys<T> keys, std::byte* space) {
  if (fit_in_64_bits(int{sizeof(T)} * 8, line.size))
    select_entries(line, keys, reinterpret_cast<std::uint64_t*>(space));
  else
    select_entries(line, keys, reinterpret_cast<uint128*>(space));
}

// Lines that stand one behind the other in memory, and so do their results; `first` is the first.
template <class T>
void sort_lines(const Line<T>& first_line, std::int64_t count, bool descending) {
  const auto [x, values, indices, size, k] = first_line;
  const bool selects = k <= size / 8;
  const std::int64_t entries = selects ? room_for(size, k) : 2 * size;
  const std::int64_t grain = std::max<std::int64_t>(1, (16 << 10) / size);
  parallel_for(count, grain, [&](std::int64_t first, std::int64_t last) {
    const Workspace<std::byte> space(entries * std::int64_t{sizeof(uint128)});
    for (std::int64_t n = first; n < last; ++n) {
      Line<T> line = first_line;
      line.x += n * line.size;
      line.values += n * line.k;
      line.indices += n * line.k;
      (selects ? select_line<T> : sort_line<T>)(line, {descending}, space.data());
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
    sort_lines<T>({from.data<T>(), sorted.values.data<T>(), sorted.indices.data<std::int64_t>(),
                   x.size(dim), to.values.size(dim)},
                  x.numel() / x.size(dim), descending);
  });
  bring_back(to.values, dim, sorted.values);
  bring_back(to.indices, dim, sorted.indices);
}

}  // namespace napkin::cpu
