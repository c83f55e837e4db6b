#include "demos/03_einops/plans.h"

#include "common/core/observer.h"
#include "common/core/units.h"
#include "common/lecture/report.h"
#include "demos/03_einops/layouts.h"

namespace napkin {

using lecture::Align;

namespace {

class Counter : public Observer {
 public:
  explicit Counter(Ran& ran) : ran_(ran) {}
  void on(const OperationEvent& event) override {
    ++ran_.operations;
    if (std::string_view(event.name) == "matmul") ++ran_.products;
  }

 private:
  Ran& ran_;
};

std::vector<Shape> shapes_of(const std::vector<Tensor>& operands) {
  std::vector<Shape> shapes;
  for (const Tensor& x : operands) shapes.push_back(x.shape());
  return shapes;
}

}  // namespace

Ran run_einsum(std::string_view pattern, const std::vector<Tensor>& operands) {
  Ran ran;
  const Counter counter(ran);
  ran.result = einsum(pattern, operands);
  return ran;
}

PlanTable::PlanTable()
    : table_({{"pattern"},
              {"shape"},
              {"products", Align::right},
              {"FLOPs", Align::right},
              {"bytes", Align::right}}) {}

Tensor PlanTable::row(std::string_view pattern, const std::vector<Tensor>& operands) {
  const EinsumPlan plan = explain_einsum(pattern, shapes_of(operands));
  const Ran ran = run_einsum(pattern, operands);
  table_.row({std::string(pattern), tuple(ran.result.shape()), fmt::format("{}", ran.products),
              short_number(plan.flops), with_commas(plan.bytes)});
  return ran.result;
}

void print_plan(const EinsumPlan& plan) {
  if (plan.steps.empty()) lecture::say("Nothing to work out: the operand seen in another way.");
  for (const std::string& step : plan.steps) lecture::print_refusal(step);
  lecture::say("FLOPs {}, bytes {}", short_number(plan.flops), with_commas(plan.bytes));
  for (const std::string& warning : plan.warnings) lecture::print_refusal(warning);
}

}  // namespace napkin
