// Views: each is a new layout over the same storage (lecture 2.3). Names and rules follow PyTorch;
// dimensions may be given from the end (-1 is the last). Bad input is refused with napkin::Error.
#pragma once
#include <optional>

#include "common/tensor/layout.h"

namespace napkin {

// The size at -1 worked out from the others; refuses two of them, remainders, and 0 elements with
// another size of 0.
Shape infer_shape(const Shape& asked, std::int64_t elements);

// The strides under which the same elements in the same order have another shape, if there are any.
std::optional<Strides> view_strides(const Layout& layout, const Shape& shape);

Layout view(const Layout& layout, const Shape& shape);  // refuses where view_strides has none
Layout transpose(const Layout& layout, int a, int b);
Layout permute(const Layout& layout, const Dims& order);
Layout select(const Layout& layout, int d, std::int64_t index);
// Elements start, start + step, ... below stop; start and stop are cut to the size as in Python.
Layout slice(const Layout& layout, int d, std::int64_t start, std::int64_t stop,
             std::int64_t step = 1);
Layout expand(const Layout& layout, const Shape& shape);  // -1 keeps a size
Layout unsqueeze(const Layout& layout, int d);
Layout squeeze(const Layout& layout);
Layout squeeze(const Layout& layout, int d);
Shape flattened(const Shape& shape, int first, int last);  // first to last become one dimension
// Windows of `size`, every `step`, along d: the window becomes a last dimension.
Layout unfold(const Layout& layout, int d, std::int64_t size, std::int64_t step);
// Any layout; refuses negative strides and elements that are not in [0, storage_elements).
Layout as_strided(const Shape& shape, const Strides& strides, std::int64_t offset,
                  std::int64_t storage_elements);

}  // namespace napkin
