// The plan of an einsum in words.
#include <fmt/format.h>

#include <algorithm>

#include "common/einops/einsum.h"
#include "common/einops/fast/einsum_plan.h"

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

double elements(const SumOfProducts& plan, const AxisList& axes) {
  double n = 1;
  for (const std::int64_t axis : axes)
    n *= static_cast<double>(plan.sizes[static_cast<std::size_t>(axis)]);
  return n;
}

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
  EinsumPlan told;
  told.warnings = plan.warnings;
  double moved = 0;  // elements
  const auto tell = [&](std::string axes, const char* how, double flops, double count) {
    told.steps.push_back({std::move(axes), how, flops});
    told.flops += flops;
    moved += count;
  };
  std::vector<AxisList> terms;
  for (std::size_t i = 0; i < plan.operands.size(); ++i) {
    terms.push_back(plan.terms[i]);
    const AxisList& summed = plan.summed[i];
    if (summed.empty()) continue;
    const double rest = elements(plan, terms[i]), all = rest * elements(plan, summed);
    tell(written(plan, plan.operands[i]) + " -> " + written(plan, terms[i]), "sum",
         std::max(0.0, all - rest), all + rest);
  }
  for (const einops::Contraction& step : plan.steps) {
    const AxisList &a = terms[static_cast<std::size_t>(step.a)],
                   &b = terms[static_cast<std::size_t>(step.b)];
    const AxisList result = einops::axes_of_result(step);
    tell(fmt::format("{}, {} -> {}", written(plan, a), written(plan, b), written(plan, result)),
         step.contracted.empty() ? "multiplication" : "matmul", step.flops,
         elements(plan, a) + elements(plan, b) + elements(plan, result));
    terms.push_back(result);
  }
  told.bytes = static_cast<std::int64_t>(moved) * element_bytes;
  return told;
}

}  // namespace napkin
