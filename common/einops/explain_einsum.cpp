// The plan of an einsum in words.
#include "common/einops/explain_einsum.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/core/units.h"
#include "common/einops/einsum/plan.h"

namespace napkin {
namespace {

using einops::AxisList, einops::SumOfProducts;

std::string written(const SumOfProducts& plan, const AxisList& axes) {
  std::string text;
  for (const std::int64_t axis : axes)
    text +=
        (text.empty() ? "" : " ") + (axis < 0 ? "1" : plan.names[static_cast<std::size_t>(axis)]);
  return text.empty() ? "()" : text;
}

// Refuses numbers past 64 bits.
std::int64_t elements(const SumOfProducts& plan, const AxisList& axes) {
  Shape sizes;
  for (const std::int64_t axis : axes) sizes.push_back(plan.sizes[static_cast<std::size_t>(axis)]);
  return count_elements(sizes);
}

// Tells the steps of a plan, and counts what they read and write.
class Teller {
 public:
  explicit Teller(const SumOfProducts& plan) : plan_(plan) {}

  EinsumPlan tell(std::int64_t element_bytes) {
    told_.warnings = plan_.warnings;
    for (std::size_t i = 0; i < plan_.operands.size(); ++i) tell_sum(i);
    for (const einops::Contraction& step : plan_.steps) tell_product(step);
    told_.bytes = multiply(moved_, element_bytes);
    return std::move(told_);
  }

 private:
  void tell_sum(std::size_t operand) {
    terms_.push_back(plan_.terms[operand]);
    AxisList all = plan_.terms[operand];
    if (plan_.summed[operand].empty()) return;
    for (const std::int64_t axis : plan_.summed[operand]) all.push_back(axis);
    const std::int64_t before = elements(plan_, all), after = elements(plan_, terms_.back());
    add_step(written(plan_, plan_.operands[operand]) + " -> " + written(plan_, terms_.back()),
             "sum", static_cast<double>(std::max<std::int64_t>(0, before - after)));
    moved_ = add(add(moved_, before), after);
  }

  void tell_product(const einops::Contraction& step) {
    const AxisList a = terms_[static_cast<std::size_t>(step.a)],
                   b = terms_[static_cast<std::size_t>(step.b)];
    terms_.push_back(einops::axes_of_result(step));
    add_step(fmt::format("{}, {} -> {}", written(plan_, a), written(plan_, b),
                         written(plan_, terms_.back())),
             step.contracted.empty() ? "multiplication" : "matmul", step.flops);
    for (const AxisList& axes : {a, b, terms_.back()}) moved_ = add(moved_, elements(plan_, axes));
  }

  void add_step(std::string axes, const char* how, double flops) {
    told_.steps.push_back({std::move(axes), how, flops});
    told_.flops += flops;
  }

  const SumOfProducts& plan_;
  EinsumPlan told_;
  std::vector<AxisList> terms_;
  std::int64_t moved_ = 0;  // elements
};

}  // namespace

std::string EinsumStep::sentence() const {
  return fmt::format("{} by {}: {:.0f} FLOP{}", axes, how, flops, flops == 1 ? "" : "s");
}

std::string EinsumWarning::sentence() const {
  if (operand == 0)
    return fmt::format("axis {} occurs once and is summed over: is it a typing mistake?", axis);
  return fmt::format("axis {} has size 1 in operand {} and {} elsewhere", axis, operand, size);
}

EinsumPlan explain_einsum(std::span<const Shape> shapes, std::string_view pattern,
                          std::int64_t element_bytes) {
  const SumOfProducts plan = einops::plan_einsum(pattern, shapes);
  check(element_bytes > 0, "explain_einsum: elements of {} bytes; at least 1 can be",
        element_bytes);
  try {
    return Teller(plan).tell(element_bytes);
  } catch (const Error& e) {
    einops::refuse_einsum(pattern, shapes,
                          fmt::format("the bytes that it moves are not counted: {}", e.what()));
  }
}

}  // namespace napkin
