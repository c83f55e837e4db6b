#include "common/tensor/layout.h"

#include <algorithm>

#include "common/core/units.h"

namespace napkin {
namespace {

[[noreturn]] void refuse_shape(const Shape& shape) {
  for (int d = 0; d < shape.size(); ++d)
    check(shape[d] >= 0, "shape {}: the size {} of dimension {} is negative; sizes are 0 or more",
          shape, shape[d], d);
  fail("shape {}: the product of the sizes passes 2^63 - 1", shape);
}

// The dimensions along which there is a step to take, smallest stride first.
Dims by_stride(const Layout& layout) {
  Dims order;
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.shape[d] > 1) order.push_back(d);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return layout.strides[static_cast<int>(a)] < layout.strides[static_cast<int>(b)];
  });
  return order;
}

}  // namespace

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    fail("{} x {} passes 2^63 - 1, the largest size, stride or position", a, b);
  return product;
}

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    fail("{} + {} passes 2^63 - 1, the largest position", a, b);
  return sum;
}

bool has_elements(const Shape& shape) {
  return std::find(shape.begin(), shape.end(), 0) == shape.end();
}

std::int64_t count_elements(const Shape& shape) {
  std::int64_t product = 1;  // of the nonzero sizes
  for (const std::int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(product, size == 0 ? 1 : size, &product)) [[unlikely]]
      refuse_shape(shape);
  return has_elements(shape) ? product : 0;
}

Strides contiguous_strides(const Shape& shape) {
  // Shape (2, 3, 4): a step along the last dimension is 1 element, along the middle one it is a row
  // of 4, along the first a matrix of 3 x 4: strides (12, 4, 1).
  Strides strides(shape.size(), 1);
  for (int d = shape.size() - 2; d >= 0; --d)
    strides[d] = multiply(strides[d + 1], std::max<std::int64_t>(shape[d + 1], 1));
  return strides;
}

int wrap_dimension(std::int64_t d, int rank) {
  const int count = std::max(rank, 1);
  if (d < -count || d >= count) [[unlikely]]
    fail("no dimension {}: a tensor of {} has 0 to {}, or {} to -1 from the end", d,
         counted(rank, "dimension"), count - 1, -count);
  return static_cast<int>(d < 0 ? d + count : d);
}

std::int64_t wrap_index(std::int64_t index, const Shape& shape, int d) {
  const std::int64_t size = shape[d];
  if (index >= 0 && index < size) [[likely]]
    return index;
  check(size > 0, "index {}: dimension {} of shape {} has no elements", index, d, shape);
  check(index >= -size && index < size,
        "index {}: dimension {} of shape {} has 0 to {}, or {} to -1 from the end", index, d, shape,
        size - 1, -size);
  return index + size;
}

std::int64_t position(const Layout& layout, const Dims& index) {
  check(index.size() == layout.rank(), "index {} has {}: shape {} needs {}", index,
        counted(index.size(), "number"), layout.shape, layout.rank());
  std::int64_t at = layout.offset;
  for (int d = 0; d < layout.rank(); ++d)
    at += wrap_index(index[d], layout.shape, d) * layout.strides[d];
  return at;
}

bool is_contiguous(const Layout& layout) {
  if (!has_elements(layout.shape)) return true;
  std::int64_t expected = 1;  // the number of elements to the right of dimension d
  for (int d = layout.rank() - 1; d >= 0; --d) {
    if (layout.shape[d] == 1) continue;
    if (layout.strides[d] != expected) return false;
    expected *= layout.shape[d];
  }
  return true;
}

bool is_dense(const Layout& layout) {
  if (is_contiguous(layout)) return true;
  std::int64_t expected = 1;  // the number of elements in the dimensions of smaller stride
  for (const std::int64_t i : by_stride(layout)) {
    const int d = static_cast<int>(i);
    if (layout.strides[d] != expected) return false;
    expected *= layout.shape[d];
  }
  return true;
}

Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  for (int d = longer.size() - 1, s = shorter.size() - 1; s >= 0; --d, --s) {
    if (longer[d] == shorter[s] || shorter[s] == 1) continue;
    check(
        longer[d] == 1,
        "shapes {} and {} do not broadcast: sizes {} and {} stand at the same place, counted from "
        "the right, and neither is 1",
        a, b, longer[d], shorter[s]);
    result[d] = shorter[s];  // also 1 against 0: no elements
  }
  return result;
}

}  // namespace napkin
