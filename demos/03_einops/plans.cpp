#include "demos/03_einops/plans.h"

#include "common/core/traffic.h"
#include "common/core/units.h"
#include "common/lecture/report.h"
#include "demos/03_einops/layouts.h"

namespace napkin {

using lecture::Align;

namespace {

// Counts the matrix products that really ran.
class Products : public Observer {
 public:
  void on(const OperationEvent& event) override {
    if (std::string_view(event.name) == "matmul") ++count;
  }
  int count = 0;
};

std::vector<Shape> shapes_of(const std::vector<Tensor>& operands) {
  std::vector<Shape> shapes;
  for (const Tensor& x : operands) shapes.push_back(x.shape());
  return shapes;
}

}  // namespace

PlanTable::PlanTable()
    : table_({{"pattern"},
              {"shape"},
              {"products", Align::right},
              {"FLOPs", Align::right},
              {"bytes", Align::right}}) {}

Tensor PlanTable::row(std::string_view pattern, const std::vector<Tensor>& operands) {
  const EinsumPlan plan = explain_einsum(pattern, shapes_of(operands));
  const Products products;
  const Tensor result = einsum(pattern, operands);
  table_.row({std::string(pattern), tuple(result.shape()), fmt::format("{}", products.count),
              short_number(plan.flops), with_commas(plan.bytes)});
  return result;
}

void print_plan(const EinsumPlan& plan) {
  for (const std::string& step : plan.steps) lecture::print_refusal(step);
  lecture::say("FLOPs {}, bytes {}", short_number(plan.flops), with_commas(plan.bytes));
  for (const std::string& warning : plan.warnings) lecture::print_refusal(warning);
}

}  // namespace napkin
