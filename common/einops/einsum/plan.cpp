#include "common/einops/einsum/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/core/joined.h"
#include "common/core/units.h"
#include "common/einops/pattern_parser.h"

namespace napkin::einops {
namespace {

constexpr int most_axes = 64;  // of one plan: sets of axes are bits

// Reads the pattern against the shapes.
class Reader {
 public:
  Reader(const Pattern& pattern, std::span<const Shape> shapes)
      : pattern_(pattern), shapes_(shapes) {}

  SumOfProducts read() {
    const int operands = pattern_.side_count - 1;
    check(static_cast<int>(shapes_.size()) == operands, "the pattern has {}, {} given",
          counted(operands, "operand"), given(shapes_.size()));
    for (int i = 0; i < operands; ++i) name_axes(i);
    for (int i = 0; i < operands; ++i) drop_stretched(i);
    const Side& result = pattern_.result();
    const int dimensions = result.dimensions + (result.ellipsis < 0 ? 0 : widest_ - 1);
    check(dimensions <= max_rank, "the result has {}; a tensor has at most {}",
          counted(dimensions, "dimension"), max_rank);
    for (const Axis& axis : pattern_.of(result)) {
      if (axis.is_ellipsis())
        for (int k = widest_; k > 0; --k) plan_.result.push_back(number_of(ellipsis_name(k)));
      else
        plan_.result.push_back(number_of(axis.name));
    }
    for (int i = 0; i < operands; ++i) {
      find_summed(i);
      find_term(i);
    }
    if (operands > 1) find_lonely();
    return std::move(plan_);
  }

 private:
  static std::string given(std::size_t n) {
    return n == 0 ? "none is" : n == 1 ? "1 is" : fmt::format("{} are", n);
  }
  // Dimensions of an ellipsis are counted from the right, as sizes broadcast.
  static std::string ellipsis_name(int from_right) { return fmt::format("...{}", from_right); }

  int number_of(std::string_view name) {
    const auto found = std::ranges::find(plan_.names, name);
    if (found != plan_.names.end()) return static_cast<int>(found - plan_.names.begin());
    check(plan_.names.size() < most_axes, "more than {} axes", most_axes);
    plan_.names.emplace_back(name);
    plan_.sizes.push_back(1);
    return static_cast<int>(plan_.names.size()) - 1;
  }

  void name_axes(int operand) {
    const Side& side = pattern_.sides[operand];
    const Shape& shape = shapes_[static_cast<std::size_t>(operand)];
    const bool open = side.ellipsis >= 0;
    const int written = side.dimensions - open;
    check(open ? shape.size() >= written : shape.size() == written,
          "operand {} has {}{} in the pattern, its shape has {}", operand + 1,
          open ? "at least " : "", counted(written, "dimension"), shape.size());
    for (const std::int64_t size : shape)
      check(size >= 0, "operand {} has a size of {}, less than 0", operand + 1, size);
    AxisList& axes = plan_.operands.emplace_back();
    const int wide = shape.size() - written;
    widest_ = std::max(widest_, wide);
    for (const Axis& axis : pattern_.of(side))
      for (int k = axis.is_ellipsis() ? wide : 1; k > 0; --k) {
        const int number = axis.is_ellipsis() ? number_of(ellipsis_name(k)) : number_of(axis.name);
        set_size(number, operand, shape[axes.size()]);
        axes.push_back(number);
      }
    for (int d = 0; d < axes.size(); ++d)
      for (int e = 0; e < d; ++e)
        check(axes[d] != axes[e] || shape[d] == shape[e],
              "axis {} has sizes {} and {} in operand {}",
              plan_.names[static_cast<std::size_t>(axes[d])], shape[e], shape[d], operand + 1);
  }

  void set_size(int number, int operand, std::int64_t size) {
    std::int64_t& known = plan_.sizes[static_cast<std::size_t>(number)];
    const std::string& name = plan_.names[static_cast<std::size_t>(number)];
    check(size == known || size == 1 || known == 1,
          "axis {} has size {} in operand {} and {} before", name, size, operand + 1, known);
    if (size != 1) known = size;
  }

  // A dimension of size 1 whose axis has another size elsewhere counts as missing.
  void drop_stretched(int operand) {
    const Shape& shape = shapes_[static_cast<std::size_t>(operand)];
    AxisList& axes = plan_.operands[static_cast<std::size_t>(operand)];
    for (int d = 0; d < axes.size(); ++d) {
      const auto a = static_cast<std::size_t>(axes[d]);
      if (shape[d] == plan_.sizes[a]) continue;
      if (plan_.names[a][0] != '.')
        plan_.warnings.push_back({plan_.names[a], operand + 1, plan_.sizes[a]});
      axes[d] = -1;
    }
  }

  void find_summed(int operand) {
    AxisList& summed = plan_.summed.emplace_back();
    const AxisList& mine = plan_.operands[static_cast<std::size_t>(operand)];
    for (const std::int64_t axis : mine) {
      bool needed = axis < 0 || std::ranges::count(plan_.result, axis) > 0 ||
                    std::ranges::count(summed, axis) > 0;
      for (const AxisList& other : plan_.operands)
        needed = needed || (&other != &mine && std::ranges::count(other, axis) > 0);
      if (needed) continue;
      summed.push_back(axis);
      plan_.sums_apart |= plan_.sizes[static_cast<std::size_t>(axis)] != 1;
    }
  }

  void find_term(int operand) {
    const auto i = static_cast<std::size_t>(operand);
    AxisList& term = plan_.terms.emplace_back();
    for (const std::int64_t axis : plan_.operands[i])
      if (axis >= 0 && std::ranges::count(plan_.summed[i], axis) == 0 &&
          std::ranges::count(term, axis) == 0)
        term.push_back(axis);
  }

  void find_lonely() {
    const Side left{0, pattern_.result().first};
    for (const Axis& axis : pattern_.of(left)) {
      const auto same = [&](const Axis& a) { return a.name == axis.name; };
      if (!axis.is_ellipsis() && std::ranges::count_if(pattern_.of(left), same) == 1 &&
          pattern_.find(pattern_.result(), axis.name) < 0)
        plan_.warnings.push_back({std::string(axis.name)});
    }
  }

  const Pattern& pattern_;
  std::span<const Shape> shapes_;
  SumOfProducts plan_;
  int widest_ = 0;
};

}  // namespace

SumOfProducts plan_einsum(std::string_view pattern, std::span<const Shape> shapes) {
  const Pattern parsed = parse_pattern(pattern, Form::einsum);
  std::string reason;
  try {
    if (parsed.ok()) {
      SumOfProducts plan = Reader(parsed, shapes).read();
      choose_order(plan);
      plan.is_one_product = plan.steps.size() == 1 && !plan.steps[0].contracted.empty() &&
                            plan.terms == plan.operands;
      return plan;
    }
    reason = reason_text(parsed.problem, Form::einsum);
  } catch (const Error& e) {
    reason = e.what();
  }
  refuse_einsum(pattern, shapes, reason);
}

void refuse_einsum(std::string_view pattern, std::span<const Shape> shapes,
                   std::string_view reason) {
  const char* of = shapes.empty() ? "" : shapes.size() == 1 ? " of shape " : " of shapes ";
  fail("einsum {:?}{}{}: {}{}", pattern, of, joined(shapes, ", "), reason,
       if_run_together(pattern));
}

AxisList axes_of_result(const Contraction& step) {
  AxisList axes = step.batch;
  for (const std::int64_t axis : step.left) axes.push_back(axis);
  for (const std::int64_t axis : step.right) axes.push_back(axis);
  return axes;
}

}  // namespace napkin::einops
