#include "common/einops/recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/core/units.h"
#include "common/tensor/layout.h"

namespace napkin::einops {
namespace {

// A recipe in the making. Numbers of axes are those of the pattern.
class Cook {
 public:
  Cook(const Pattern& pattern, const Shape& shape, AxisSizes given)
      : pattern_(pattern), left_(pattern.left()), right_(pattern.result()), shape_(shape) {
    const int rank = shape.size(), written = left_.dimensions;
    const bool open = left_.ellipsis >= 0;
    check(open ? rank >= written - 1 : rank == written, "the left side has {}{}, the tensor has {}",
          open ? "at least " : "", counted(open ? written - 1 : written, "dimension"), rank);
    wide_ = open ? rank - (written - 1) : 0;
    require_room(left_, "left");
    require_room(right_, "right");
    for (int i = 0; i < right_.last; ++i) size_[i] = pattern.axes[i].size;
    for (const AxisSize& axis : given) {
      check(axis.size >= 0, "axis {} cannot have size {}", axis.name, axis.size);
      for (const Side& side : {left_, right_})
        if (const int i = pattern.find(side, axis.name); i >= 0) size_[i] = axis.size;
    }
  }

  Recipe cook() {
    for (int d = 0; d < left_.dimensions; ++d) split(d);
    Recipe& r = recipe_;
    r.splits = r.split != shape_;
    for (int d = 0; d < right_.dimensions; ++d) arrange(d);
    r.merges = r.merged != r.expanded;
    if (r.added.empty()) r.expanded = {};
    for (int i = left_.first; i < left_.last; ++i)
      if (pattern_.axes[i].is_number() || pattern_.find(right_, pattern_.axes[i].name) < 0)
        reduce(i);
    bool sorted = true;
    for (int d = 0; d < r.order.size(); ++d) sorted = sorted && r.order[d] == d;
    if (sorted) r.order = {};
    return r;
  }

 private:
  // Each axis is a dimension once it is split.
  void require_room(const Side& side, const char* which) const {
    const int dimensions =
        std::max(side.dimensions, side.last - side.first) + (side.ellipsis < 0 ? 0 : wide_ - 1);
    check(dimensions <= max_rank, "the {} side has {} axes; a tensor has at most {} dimensions",
          which, dimensions, max_rank);
  }

  // A name is one dimension, the ellipsis several.
  int width(int i) const { return pattern_.axes[i].is_ellipsis() ? wide_ : 1; }

  std::string written(int d) const {
    std::string text;
    for (const Axis& axis : pattern_.of(left_))
      if (axis.dimension == d) text += fmt::format("{}{}", text.empty() ? "" : " ", axis.name);
    return "(" + text + ")";
  }

  // Works out the sizes of the axes of dimension d on the left.
  void split(int d) {
    if (left_.ellipsis >= 0 && pattern_.axes[left_.ellipsis].dimension == d) {
      start_[left_.ellipsis] = recipe_.split.size();
      for (int k = 0; k < wide_; ++k) recipe_.split.push_back(shape_[read_++]);
      return;
    }
    const std::int64_t size = shape_[read_];
    std::int64_t known = 1;
    int unknown = -1;
    for (int i = left_.first; i < left_.last; ++i) {
      if (pattern_.axes[i].dimension != d) continue;
      size_[i] < 0 ? void(unknown = i) : void(known = multiply(known, size_[i]));
    }
    if (unknown >= 0) {
      const std::string_view name = pattern_.axes[unknown].name;
      check(known > 0, "axis {} cannot be worked out: the others in {} have 0 elements", name,
            written(d));
      check(size % known == 0, "axis {}: dimension {}, {}, has size {}, not a multiple of {}", name,
            read_, written(d), size, known);
      size_[unknown] = size / known;
    } else {
      const std::string axes = written(d) == "()" ? "" : fmt::format(", {},", written(d));
      check(size == known, "dimension {}{} has size {} where the pattern needs {}", read_, axes,
            size, known);
    }
    ++read_;
    for (int i = left_.first; i < left_.last; ++i) {
      if (pattern_.axes[i].dimension != d) continue;
      start_[i] = recipe_.split.size();
      recipe_.split.push_back(size_[i]);
    }
  }

  // Dimension d on the right: where its axes come from, or that they are new.
  void arrange(int d) {
    std::int64_t size = 1;
    bool group = true;
    for (int i = right_.first; i < right_.last; ++i) {
      const Axis& axis = pattern_.axes[i];
      if (axis.dimension != d) continue;
      group = !axis.is_ellipsis() || right_.ellipsis_in_parentheses;
      const int from = axis.is_number() ? -1 : pattern_.find(left_, axis.name);
      if (from < 0) recipe_.added.push_back(recipe_.expanded.size());
      for (int k = 0; k < width(i); ++k) {
        if (from >= 0) recipe_.order.push_back(start_[from] + k);
        recipe_.expanded.push_back(from < 0 ? size_[i] : recipe_.split[start_[from] + k]);
        size = multiply(size, recipe_.expanded[recipe_.expanded.size() - 1]);
        if (!group) recipe_.merged.push_back(recipe_.expanded[recipe_.expanded.size() - 1]);
      }
    }
    if (group) recipe_.merged.push_back(size);
  }

  void reduce(int i) {
    for (int k = 0; k < width(i); ++k) {
      recipe_.reduced.push_back(recipe_.order.size());
      recipe_.order.push_back(start_[i] + k);
    }
  }

  const Pattern& pattern_;
  const Side &left_, &right_;
  const Shape& shape_;
  Recipe recipe_;
  int wide_ = 0;  // dimensions of the ellipsis
  int read_ = 0;  // dimensions of the tensor so far
  std::int64_t size_[max_axes];
  int start_[max_axes];  // the first dimension of an axis in `split`
};

}  // namespace

Recipe make_recipe(const Pattern& pattern, const Shape& shape, AxisSizes sizes) {
  std::string reason;
  try {
    if (pattern.ok()) return Cook(pattern, shape, sizes).cook();
    reason = reason_text(pattern.problem, pattern.form);
  } catch (const Error& e) {
    reason = e.what();
  }
  fail("{}", error_text(pattern.text, pattern.form, shape, sizes, reason));
}

std::string error_text(std::string_view text, Form form, const Shape& shape, AxisSizes sizes,
                       std::string_view reason) {
  std::string given;
  for (const AxisSize& axis : sizes)
    given +=
        fmt::format("{}{} = {}", given.empty() ? " with " : ", ", visible(axis.name), axis.size);
  return fmt::format("{} {:?} of shape {}{}: {}{}", form_name(form), text, shape, given, reason,
                     if_run_together(text));
}

}  // namespace napkin::einops
