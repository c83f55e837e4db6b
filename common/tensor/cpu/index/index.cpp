#include "common/tensor/cpu/index/index.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/stream.h"

namespace napkin::cpu {
namespace {

constexpr std::int64_t boxes_per_thread = 16;

std::byte* elements_of(const Tensor& x) { return static_cast<std::byte*>(x.raw_data()); }

// x's layout seen from the index: all but dim, along which the index says where to go.
Layout without_steps(const Tensor& x, int dim, const Shape& shape) {
  Layout layout = x.layout();
  layout.shape = shape;
  layout.strides[dim] = 0;
  return layout;
}

// The walk over (0) the result, (1) x and (2) the index.
struct Picks {
  Walk walk;
  std::byte *to, *from;
  std::int64_t size, along, places;  // bytes of an element, x's step and size along dim
  Operand index;
};

Picks plan(const Tensor& result, const Tensor& x, int dim, const Tensor& index) {
  const Layout from = without_steps(x, dim, index.shape());
  const Layout* layouts[] = {&result.layout(), &from, &index.layout()};
  const std::int64_t size = size_of(x.dtype());
  return {plan_walk(layouts),
          elements_of(result),
          elements_of(x),
          size,
          x.stride(dim),
          x.size(dim),
          {2, index.dtype(), elements_of(index)}};
}

std::int64_t index_at(const Operand& index, std::int64_t at) {
  return index.dtype == DType::int64 ? reinterpret_cast<const std::int64_t*>(index.data)[at]
                                     : reinterpret_cast<const std::int32_t*>(index.data)[at];
}

// Whether numbers are in [0, size - 1].
bool in_range(const std::int64_t* numbers, std::int64_t count, std::int64_t size) {
  std::uint64_t outside = 0;  // its highest bit: one was not
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(numbers[i]);
    outside |= number | (static_cast<std::uint64_t>(size) - 1 - number);
  }
  return outside >> 63 == 0;
}

// The columns of a row have one index, and their elements stand side by side.
bool copy_rows(const Picks& p, const Box& box, bool streams) {
  const auto& s = p.walk.strides;
  const std::int64_t bytes = box.columns * p.size;
  for (std::int64_t r = 0; r < box.rows; ++r) {
    const std::int64_t number = index_at(p.index, box.start[2] + r * s[2][1]);
    if (!in_range(&number, 1, p.places)) return false;
    std::byte* to = p.to + (box.start[0] + r * s[0][1]) * p.size;
    const std::byte* from = p.from + (box.start[1] + r * s[1][1] + number * p.along) * p.size;
    if (streams)
      stream(to, from, bytes);
    else
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  return true;
}

template <class T>
void copy_elements_of(const Picks& p, const Box& box, const std::int64_t* numbers) {
  const auto& s = p.walk.strides;
  const std::int64_t to_step = s[0][0], from_step = s[1][0];
  for (std::int64_t r = 0; r < box.rows; ++r, numbers += box.columns) {
    T* to = reinterpret_cast<T*>(p.to) + box.start[0] + r * s[0][1];
    const T* from = reinterpret_cast<const T*>(p.from) + box.start[1] + r * s[1][1];
    if (to_step == 1 && from_step == 0 && p.along == 1)
      for (std::int64_t c = 0; c < box.columns; ++c) to[c] = from[numbers[c]];
    else
      for (std::int64_t c = 0; c < box.columns; ++c)
        to[c * to_step] = from[c * from_step + numbers[c] * p.along];
  }
}

bool copy_box(const Picks& p, const Box& box, BoxReader& index) {
  const auto* numbers = static_cast<const std::int64_t*>(index.read(box));
  if (!in_range(numbers, box.columns * box.rows, p.places)) return false;
  switch (p.size) {
    case 1:
      copy_elements_of<std::uint8_t>(p, box, numbers);
      return true;
    case 2:
      copy_elements_of<std::uint16_t>(p, box, numbers);
      return true;
    case 4:
      copy_elements_of<std::uint32_t>(p, box, numbers);
      return true;
    default:
      copy_elements_of<std::uint64_t>(p, box, numbers);
      return true;
  }
}

// An index of whole slices, strides of 0 but along dim.
bool picks_slices(const Tensor& index, int dim) {
  for (int d = 0; d < index.rank(); ++d)
    if (d != dim && index.size(d) != 1 && index.stride(d) != 0) return false;
  return true;
}

// Elements of x that stand side by side at one index.
std::int64_t row_length(const Tensor& x, int dim, const Tensor& source) {
  const Tensor slices[] = {x.select(dim, 0), source.select(dim, 0)};
  const Layout* layouts[] = {&slices[0].layout(), &slices[1].layout()};
  const Walk walk = plan_walk(layouts);
  return walk.strides[0][0] == 1 && walk.strides[1][0] == 1 ? walk.columns : 1;
}

}  // namespace

bool all_in_range(const Tensor& index, std::int64_t size) {
  Layout once = index.layout();  // what is repeated is looked at once
  for (int d = 0; d < once.rank(); ++d)
    if (once.strides[d] == 0) once.shape[d] = std::min<std::int64_t>(once.shape[d], 1);
  const Layout* layout = &once;
  const Walk walk = plan_walk({&layout, 1});
  std::atomic<bool> found = false;
  parallel_for(
      index.numel() == 0 ? 0 : walk.boxes(), boxes_per_thread,
      [&](std::int64_t first, std::int64_t last) {
        BoxReader reader;
        reader.open(walk, {0, index.dtype(), elements_of(index)}, DType::int64, DType::int64);
        for (std::int64_t n = first; n < last; ++n) {
          const Box box = box_at(walk, n);
          const auto* numbers = static_cast<const std::int64_t*>(reader.read(box));
          if (!in_range(numbers, box.columns * box.rows, size)) found = true;
        }
      });
  return !found;
}

bool gather(const Tensor& result, const Tensor& x, int dim, const Tensor& index) {
  const Picks p = plan(result, x, dim, index);
  const auto& s = p.walk.strides;
  const bool rows = s[0][0] == 1 && s[1][0] == 1 && s[2][0] == 0;
  const bool streams =
      rows && result.bytes() >= streaming_bytes && p.walk.columns * p.size % 64 == 0;
  std::atomic<bool> found = false;  // an index that is not in range
  parallel_for(p.walk.boxes(), boxes_per_thread, [&](std::int64_t first, std::int64_t last) {
    BoxReader reader;
    reader.open(p.walk, p.index, DType::int64, DType::int64);
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(p.walk, n);
      if (!(rows ? copy_rows(p, box, streams) : copy_box(p, box, reader))) found = true;
    }
    if (streams) stream_fence();
  });
  return !found;
}

void scatter_add(const Tensor& x, int dim, const Tensor& index, const Tensor& source, Order order) {
  constexpr std::int64_t long_enough = 8;
  if (order == Order::racy) return add_racy(x, dim, index, source);
  if (!picks_slices(index, dim) || row_length(x, dim, source) < long_enough)
    return add_lines(x, dim, index, source);
  Tensor list = index;
  for (int d = index.rank() - 1; d >= 0; --d)
    if (d != dim) list = list.select(d, 0);
  add_slices(x, dim, list, source);
}

}  // namespace napkin::cpu
