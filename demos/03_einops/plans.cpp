#include "demos/03_einops/plans.h"

#include "common/core/joined.h"
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

std::string number(double value) { return fmt::format("{}", value); }

std::string factor(double value) { return value < 0 ? "(" + number(value) + ")" : number(value); }

// The first numbers of a vector, with dots where there are more.
std::string first_numbers(const Tensor& x) {
  constexpr std::int64_t most = 8;
  std::vector<std::string> texts;
  for (const double value : x.slice(0, 0, most).to_vector<double>()) texts.push_back(number(value));
  return joined(texts, ", ") + (x.numel() > most ? ", ..." : "");
}

void say_warning(const EinsumWarning& warning) {
  if (warning.operand == 0)
    return lecture::say("axis {} occurs once and is summed over: is it a typing mistake?",
                        warning.axis);
  lecture::say("axis {} has size 1 in operand {} and {} elsewhere", warning.axis, warning.operand,
               warning.size);
}

}  // namespace

std::string counted(double n) {
  constexpr double most = 1e15;  // every whole number up to there is a double
  return n < most ? with_commas(static_cast<std::int64_t>(n)) : short_number(n);
}

Ran run_einsum(std::string_view pattern, const std::vector<Tensor>& operands) {
  Ran ran;
  const Counter counter(ran);
  ran.result = einsum(operands, pattern);
  return ran;
}

PlanTable::PlanTable()
    : table_({{"pattern"},
              {"shape"},
              {"matrix products", Align::right},
              {"FLOPs", Align::right},
              {"bytes", Align::right}}) {}

Tensor PlanTable::row(std::string_view pattern, const std::vector<Tensor>& operands) {
  const EinsumPlan plan = explain_einsum(shapes_of(operands), pattern);
  const Ran ran = run_einsum(pattern, operands);
  table_.row({std::string(pattern), tuple(ran.result.shape()), fmt::format("{}", ran.products),
              counted(plan.flops), with_commas(plan.bytes)});
  return ran.result;
}

void print_element_of_product(const Tensor& x, const Tensor& y, const Tensor& product) {
  constexpr std::size_t most = 8;
  const auto row = x[0].to_vector<double>(), column = y.select(1, 0).to_vector<double>();
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.size() > most && i == most - 2) {
      terms.emplace_back("...");
      i = row.size() - 1;
    }
    terms.push_back((i == 0 ? number(row[i]) : factor(row[i])) + " x " + factor(column[i]));
  }
  lecture::say("Element (0, 0) of the product: {} = {}", joined(terms, " + "),
               number(product[0][0].item().to_double()));
}

void print_row_of_outer(const Tensor& u, const Tensor& v, const Tensor& outer) {
  lecture::say("Row 0 of the outer product, nothing summed: {} x ({}) = ({})",
               number(u[0].item().to_double()), first_numbers(v), first_numbers(outer[0]));
}

void print_plan(const EinsumPlan& plan) {
  if (plan.steps.empty()) lecture::say("Nothing to work out: the operand seen in another way.");
  lecture::Table table({{"step"}, {"by"}, {"FLOPs", Align::right}});
  for (const EinsumStep& step : plan.steps)
    table.row({step.axes, lecture::translated(step.how), counted(step.flops)});
  if (!plan.steps.empty()) table.print();
  lecture::say("FLOPs {}, bytes {}", counted(plan.flops), with_commas(plan.bytes));
  for (const EinsumWarning& warning : plan.warnings) say_warning(warning);
}

void print_plan(std::string_view pattern, const std::vector<Shape>& shapes) {
  std::vector<std::string> texts;
  for (const Shape& shape : shapes) texts.push_back(tuple(shape));
  lecture::say("einsum \"{}\" of {}:", pattern, joined(texts, ", "));
  print_plan(explain_einsum(shapes, pattern));
}

void print_plan_of_chain(const std::vector<std::int64_t>& sizes) {
  const std::int64_t a = sizes[0], b = sizes[1], c = sizes[2], d = sizes[3];
  print_plan("a b, b c, c d -> a d", {{a, b}, {b, c}, {c, d}});
  lecture::say("From left to right it would be {} FLOPs.",
               counted(explain_einsum({{a, b}, {b, c}}, "a b, b c -> a c").flops +
                       explain_einsum({{a, c}, {c, d}}, "a c, c d -> a d").flops));
}

}  // namespace napkin
