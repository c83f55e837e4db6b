// Recipes: what a pattern does to a tensor of one shape, as five plain steps.
//
// "b s (h d) -> b h s d" with h = 8 on [2, 5, 64] is: split into [2, 5, 8, 8], permute by
// [0, 2, 1, 3]. Sizes that are not given follow from the shape. Making a recipe takes microseconds,
// finding one again (recipe_cache.cpp) a tenth of one.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/einops/pattern.h"
#include "common/tensor/dims.h"

namespace napkin {

// The size of an axis by its name: {"h", 8}.
struct AxisSize {
  std::string_view name;
  std::int64_t size;
};

// Several of them, written in braces or standing elsewhere; alive as long as what it was made of.
class AxisSizes : public std::span<const AxisSize> {
 public:
  AxisSizes() = default;
  AxisSizes(std::span<const AxisSize> sizes) : span(sizes) {}
  AxisSizes(const std::vector<AxisSize>& sizes) : span(sizes) {}
  AxisSizes(std::initializer_list<AxisSize> sizes) : span(sizes.begin(), sizes.size()) {}
};

namespace einops {

// In this order; a list that is empty is a step left out.
struct Recipe {
  bool splits = false;
  Shape split;     // every axis of the left side is a dimension of its own
  Dims order;      // permutation: the axes that stay, as on the right side, then the others
  Dims reduced;    // dimensions over which to reduce
  Dims added;      // where new axes are inserted, in rising order
  Shape expanded;  // the shape once they have their sizes
  bool merges = false;
  Shape merged;  // the result's
};

// Refuses with error_text.
Recipe make_recipe(const Pattern& pattern, const Shape& shape, AxisSizes sizes);

// The recipe of this thread for these arguments, made when first asked for; it stays until the
// thread's next call.
const Recipe& cached_recipe(std::string_view text, Form form, const Shape& shape, AxisSizes sizes);

// "rearrange "a (b c) -> a b c" of shape [2, 7] with b = 2: " and the reason.
std::string error_text(std::string_view text, Form form, const Shape& shape, AxisSizes sizes,
                       std::string_view reason);

}  // namespace einops
}  // namespace napkin
