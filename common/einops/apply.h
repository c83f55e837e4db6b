// What a recipe does to any kind of array that has reshape, permute, unsqueeze and expand, and for
// which sum, mean, max, min and prod over dimensions are found: tensors, and whatever wraps them.
#pragma once
#include "common/einops/recipe.h"

namespace napkin {

enum class Reduction : std::uint8_t { sum, mean, max, min, prod };

namespace einops {

template <class Array>
Array reduce_over(const Array& x, const Dims& over, Reduction how) {
  switch (how) {
    case Reduction::sum:
      return sum(x, over);
    case Reduction::mean:
      return mean(x, over);
    case Reduction::max:
      return max(x, over);
    case Reduction::min:
      return min(x, over);
    case Reduction::prod:
      return prod(x, over);
  }
  fail("no reduction has the number {}", static_cast<int>(how));
}

// A view but for the reduction, and where the axes of one dimension do not lie in a row.
template <class Array>
Array apply(const Recipe& recipe, Array x, Reduction how = Reduction::sum) {
  if (recipe.splits) x = x.reshape(recipe.split);
  if (!recipe.order.empty()) x = x.permute(recipe.order);
  if (!recipe.reduced.empty()) x = reduce_over(x, recipe.reduced, how);
  for (const std::int64_t d : recipe.added) x = x.unsqueeze(static_cast<int>(d));
  if (!recipe.added.empty()) x = x.expand(recipe.expanded);
  if (recipe.merges) x = x.reshape(recipe.merged);
  return x;
}

// What the pattern says, done to x; refusals say the pattern, the shape and the sizes.
template <class Array>
Array transform(const Array& x, std::string_view pattern, Form form, AxisSizes sizes,
                Reduction how = Reduction::sum) {
  const Recipe& recipe = cached_recipe(pattern, form, x.shape(), sizes);
  try {
    return apply(recipe, x, how);
  } catch (const Error& e) {  // of a reduction: mean of integers, max of nothing
    fail("{}", error_text(pattern, form, x.shape(), sizes, e.what()));
  }
}

}  // namespace einops
}  // namespace napkin
