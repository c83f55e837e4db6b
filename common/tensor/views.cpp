// Views: each is a new layout over the same storage. Only shape, strides and offset change, so each
// costs a few nanoseconds, whatever the tensor's size.
#include "common/tensor/views.h"

#include <algorithm>

namespace napkin {

Shape infer_shape(const Shape& asked, std::int64_t elements) {
  int unknown = -1;
  Shape shape = asked;
  for (int d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0) continue;
    check(shape[d] == -1,
          "shape {}: the size {} of dimension {} is negative; only -1 may stand for a size to be "
          "worked out",
          asked, shape[d], d);
    check(unknown < 0,
          "shape {}: only one size can be worked out, not those of dimensions {} and {}", asked,
          unknown, d);
    unknown = d;
    shape[d] = 1;
  }
  const std::int64_t known = count_elements(shape);
  if (unknown >= 0) {
    check(known > 0 || elements > 0, "shape {} of 0 elements: any size would do for the -1", asked);
    check(known > 0 && elements % known == 0,
          "shape {} does not fit {} elements: no size for the -1 gives that many", asked, elements);
    shape[unknown] = elements / known;
  } else {
    check(known == elements, "shape {} has {} elements, the tensor {}", asked, known, elements);
  }
  return shape;
}

std::optional<Strides> view_strides(const Layout& layout, const Shape& shape) {
  if (layout.rank() == 0) return Strides(shape.size(), 1);
  if (!has_elements(layout.shape))
    return shape == layout.shape ? layout.strides : contiguous_strides(shape);
  // From the right: gather old dimensions into a run as long as one step leads through them all,
  // which is where a stride equals size times stride of what the run has so far. Then cut the run
  // into new dimensions. Shape (3, 4) with strides (4, 1) is one run of 12 by step 1, which gives
  // (12), (2, 6), ...; its transpose, (4, 3) with strides (1, 4), is two runs: (2, 2, 3) fits, (12)
  // would need two strides in one dimension.
  Strides strides(shape.size(), 0);
  int to = shape.size() - 1;
  int from = layout.rank() - 1;
  while (from >= 0) {
    const std::int64_t step = layout.strides[from];
    std::int64_t run = layout.shape[from--];
    while (from >= 0 && (layout.shape[from] == 1 || layout.strides[from] == multiply(run, step)))
      run *= layout.shape[from--];
    std::int64_t made = 1;
    for (; to >= 0 && (made < run || shape[to] == 1); --to) {
      strides[to] = multiply(made, step);
      made *= shape[to];
    }
    if (made != run) return std::nullopt;  // a new dimension crosses the end of the run
  }
  return strides;
}

Layout view(const Layout& layout, const Shape& shape) {
  const Shape inferred = infer_shape(shape, count_elements(layout.shape));
  const std::optional<Strides> strides = view_strides(layout, inferred);
  check(strides.has_value(),
        "no view of shape {} on shape {} with strides {}: a new dimension would need two strides; "
        "reshape copies",
        inferred, layout.shape, layout.strides);
  return {inferred, *strides, layout.offset};
}

Layout transpose(const Layout& layout, int a, int b) {
  a = wrap_dimension(a, layout.rank());
  b = wrap_dimension(b, layout.rank());
  Layout result = layout;
  if (layout.rank() == 0) return result;
  std::swap(result.shape[a], result.shape[b]);
  std::swap(result.strides[a], result.strides[b]);
  return result;
}

Layout permute(const Layout& layout, const Dims& order) {
  check(order.size() == layout.rank(),
        "permute {}: shape {} has {} dimensions, each must be named once", order, layout.shape,
        layout.rank());
  Layout result = layout;
  bool taken[max_rank] = {};
  for (int to = 0; to < order.size(); ++to) {
    const int from = wrap_dimension(order[to], layout.rank());
    check(!taken[from], "permute {}: dimension {} is named twice", order, from);
    taken[from] = true;
    result.shape[to] = layout.shape[from];
    result.strides[to] = layout.strides[from];
  }
  return result;
}

Layout select(const Layout& layout, int d, std::int64_t index) {
  check(layout.rank() > 0, "select: a 0-dimensional tensor has no dimension to index");
  d = wrap_dimension(d, layout.rank());
  Layout result = layout;
  result.offset += wrap_index(index, layout.shape, d) * layout.strides[d];
  result.shape.erase(d);
  result.strides.erase(d);
  return result;
}

Layout slice(const Layout& layout, int d, std::int64_t start, std::int64_t stop,
             std::int64_t step) {
  check(layout.rank() > 0, "slice: a 0-dimensional tensor has no dimension to slice");
  d = wrap_dimension(d, layout.rank());
  check(step >= 1, "slice step {}: steps are 1 or more, as strides cannot be negative", step);
  const std::int64_t size = layout.shape[d];
  const auto cut = [&](std::int64_t i) {
    return std::clamp(i < 0 ? i + size : i, std::int64_t{0}, size);
  };
  start = cut(start);
  stop = std::max(start, cut(stop));
  Layout result = layout;
  // An empty rest begins after the last element, which may lie past the end of the storage.
  result.offset = add(layout.offset, multiply(start, layout.strides[d]));
  result.shape[d] = stop == start ? 0 : (stop - start - 1) / step + 1;
  result.strides[d] = multiply(layout.strides[d], step);
  return result;
}

Layout expand(const Layout& layout, const Shape& shape) {
  const int added = shape.size() - layout.rank();
  check(added >= 0, "expand to {}: the tensor's shape {} has more dimensions", shape, layout.shape);
  Layout result{shape, Strides(shape.size(), 0), layout.offset};
  for (int d = shape.size() - 1; d >= 0; --d) {
    const int from = d - added;
    if (from < 0) {  // a new dimension: stride 0, or that of a contiguous one where its size is 1
      check(shape[d] != -1, "expand to {}: -1 keeps a size, but dimension {} is new", shape, d);
      if (shape[d] == 1 && layout.rank() > 0)
        result.strides[d] = multiply(result.shape[d + 1], result.strides[d + 1]);
    } else if (shape[d] == -1 || shape[d] == layout.shape[from]) {
      result.shape[d] = layout.shape[from];
      result.strides[d] = layout.strides[from];
    } else {  // every index along d finds the same element
      check(layout.shape[from] == 1,
            "expand shape {} to {}: dimension {} has size {}, only size 1 can become {}",
            layout.shape, shape, from, layout.shape[from], shape[d]);
    }
  }
  count_elements(result.shape);  // refuses negative sizes and too many elements
  return result;
}

Layout unsqueeze(const Layout& layout, int d) {
  d = wrap_dimension(d, layout.rank() + 1);
  Layout result = layout;
  const bool last = d == layout.rank();
  result.shape.insert(d, 1);
  result.strides.insert(d, last ? 1 : multiply(layout.shape[d], layout.strides[d]));
  return result;
}

Layout squeeze(const Layout& layout) {
  Layout result{{}, {}, layout.offset};
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.shape[d] == 1) continue;
    result.shape.push_back(layout.shape[d]);
    result.strides.push_back(layout.strides[d]);
  }
  return result;
}

Layout squeeze(const Layout& layout, int d) {
  d = wrap_dimension(d, layout.rank());
  Layout result = layout;
  if (layout.rank() > 0 && layout.shape[d] == 1) {
    result.shape.erase(d);
    result.strides.erase(d);
  }
  return result;
}

Shape flattened(const Shape& shape, int first, int last) {
  const int from = wrap_dimension(first, shape.size());
  const int to = wrap_dimension(last, shape.size());
  check(from <= to, "flatten of shape {}: dimension {} comes after dimension {}", shape, first,
        last);
  if (shape.empty()) return {1};
  Shape result;
  for (int d = 0; d < shape.size(); ++d)
    if (d > from && d <= to)
      result[from] = multiply(result[from], shape[d]);
    else
      result.push_back(shape[d]);
  return result;
}

Layout unfold(const Layout& layout, int d, std::int64_t size, std::int64_t step) {
  d = wrap_dimension(d, layout.rank());
  const bool scalar = layout.rank() == 0;  // one window of its one element
  const std::int64_t length = scalar ? 1 : layout.shape[d];
  check(size >= 0 && size <= length,
        "unfold: windows of {} along a dimension of size {}; 0 to {} are possible", size, length,
        length);
  check(step >= 1, "unfold: step {}; steps are 1 or more", step);
  Layout result = layout;
  result.shape.push_back(size);
  result.strides.push_back(scalar ? 1 : layout.strides[d]);
  if (!scalar) {
    result.shape[d] = (length - size) / step + 1;
    result.strides[d] = multiply(layout.strides[d], step);
  }
  count_elements(result.shape);  // windows may overlap: more elements than the storage has
  return result;
}

Layout as_strided(const Shape& shape, const Strides& strides, std::int64_t offset,
                  std::int64_t storage_elements) {
  check(shape.size() == strides.size(), "as_strided: shape {} has {} sizes, strides {} has {}",
        shape, shape.size(), strides, strides.size());
  check(offset >= 0, "as_strided: offset {} is negative", offset);
  const bool any = count_elements(shape) > 0;
  std::int64_t highest = offset;
  for (int d = 0; d < shape.size(); ++d) {
    check(strides[d] >= 0,
          "as_strided: strides {}: stride {} of dimension {} is negative; only 0 and more are "
          "supported",
          strides, strides[d], d);
    if (any) highest = add(highest, multiply(shape[d] - 1, strides[d]));
  }
  check(!any || highest < storage_elements,
        "as_strided: shape {}, strides {} and offset {} reach position {}; the storage has {} "
        "elements",
        shape, strides, offset, highest, storage_elements);
  return {shape, strides, offset};
}

}  // namespace napkin
