// For tests and fuzzing: what must hold for any pattern, shape and sizes whatever.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/einops/einsum/plan.h"
#include "common/einops/pattern_parser.h"
#include "common/einops/recipe.h"
#include "common/tensor/layout.h"
#include "common/tensor/views.h"

namespace napkin::einops {

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// Every axis is a part of the text, in order, and every side has its own.
inline void check_pattern(const Pattern& p) {
  demand(p.side_count >= 1 && p.side_count <= max_sides, "sides");
  for (int s = 0; s < p.side_count; ++s) {
    const Side& side = p.sides[s];
    demand(side.first <= side.last && side.last <= max_axes, "axes of a side");
    demand(s == 0 ? side.first == 0 : side.first == p.sides[s - 1].last, "sides follow");
    for (const Axis& axis : p.of(side)) {
      const auto at = static_cast<std::size_t>(axis.position);
      demand(p.text.substr(at, axis.name.size()) == axis.name, "a name is not in the text");
      demand(axis.dimension >= 0 && axis.dimension < side.dimensions, "dimension of an axis");
    }
  }
}

// Steps that fit together and keep, or reduce, every element.
inline void check_recipe(const Pattern& p, const Recipe& r, const Shape& shape) {
  const std::int64_t elements = count_elements(shape);
  const Shape split = r.splits ? r.split : shape;
  demand(count_elements(split) == elements, "split");
  const Layout rows{split, contiguous_strides(split), 0};
  Shape kept = r.order.empty() ? split : permute(rows, r.order).shape;
  for (int d = r.reduced.size() - 1; d >= 0; --d) kept.erase(static_cast<int>(r.reduced[d]));
  demand(p.form == Form::reduce || r.reduced.empty(), "something is reduced");
  demand(p.form == Form::repeat || r.added.empty(), "something is added");
  for (const std::int64_t d : r.added)
    kept.insert(static_cast<int>(d), r.expanded[static_cast<int>(d)]);
  demand(r.added.empty() || kept == r.expanded, "expanded");
  demand(!r.merges || count_elements(r.merged) == count_elements(kept), "merged");
}

inline void demand_pattern(const Error& e, std::string_view text) {
  demand(std::string(e.what()).find(visible(text)) != std::string::npos,
         "an error without the pattern");
}

inline bool plan_survives(std::string_view text, const Pattern& pattern, const Shape& shape) {
  try {
    plan_einsum(text, std::vector<Shape>(static_cast<std::size_t>(pattern.side_count - 1), shape));
  } catch (const Error& e) {
    demand_pattern(e, text);
    return false;
  }
  return true;
}

inline bool recipe_survives(std::string_view text, const Pattern& pattern, const Shape& shape,
                            AxisSizes sizes) {
  Recipe recipe;
  try {
    recipe = make_recipe(pattern, shape, sizes);
  } catch (const Error& e) {
    demand_pattern(e, text);
    return false;
  }
  try {
    check_recipe(pattern, recipe, shape);
  } catch (const Error&) {
    return false;  // a shape of more than 2^63 - 1 elements, which is refused when it is made
  }
  return true;
}

// The first bytes choose the form, a shape and sizes; the rest is the pattern. True if all was
// accepted.
inline bool pattern_survives(std::span<const unsigned char> bytes) {
  const auto next = [&] {
    const unsigned char b = bytes.empty() ? 0 : bytes[0];
    bytes = bytes.subspan(bytes.empty() ? 0 : 1);
    return static_cast<int>(b);
  };
  const auto form = static_cast<Form>(next() % 5);
  Shape shape;
  for (int rank = next() % 7; rank > 0; --rank) shape.push_back(next() % 13);
  const std::string_view names[] = {"a", "b", "c"};
  std::vector<AxisSize> sizes;
  std::vector<std::string_view> given;
  for (int i = next() % 4; i > 0; --i) sizes.push_back({names[i - 1], next() % 6});
  for (const AxisSize& s : sizes) given.push_back(s.name);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Pattern pattern = parse_pattern(text, form, given);
  if (!pattern.ok()) {
    demand(!reason_text(pattern.problem, form).empty(), "a refusal without a reason");
    return false;
  }
  check_pattern(pattern);
  if (form == Form::shape) return true;
  return form == Form::einsum ? plan_survives(text, pattern, shape)
                              : recipe_survives(text, pattern, shape, sizes);
}

}  // namespace napkin::einops
