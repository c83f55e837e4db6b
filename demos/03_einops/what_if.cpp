#include "demos/03_einops/what_if.h"

#include <algorithm>
#include <sstream>

#include "common/core/joined.h"
#include "common/core/units.h"
#include "common/core/warning.h"
#include "common/einops/einops.h"
#include "common/lecture/command_line/flag.h"
#include "common/lecture/page/table.h"
#include "common/tensor/create.h"
#include "common/tensor/print.h"
#include "common/tensor/random/random.h"
#include "demos/03_einops/layouts.h"
#include "demos/03_einops/plans.h"

namespace napkin {
namespace {

using Numbers = std::vector<std::int64_t>;

struct {
  std::string pattern, operation;
  Numbers shape;
  std::vector<Numbers> shapes;
  std::vector<std::string> sizes;
} in;

constexpr std::int64_t most_elements = 1 << 26;
constexpr std::int64_t most_bytes = 1'000'000'000;
constexpr double most_flops = 1e11;

// A tensor without data, so that sizes are looked at before memory is taken.
Tensor on_meta(const Numbers& shape, DType dtype) {
  return lecture::with_flag("--shape", shape, [&] {
    Tensor x = empty(Dims(shape), {.dtype = dtype, .device = Device::meta});
    check(x.numel() <= most_elements, "that is {} elements; here at most {}",
          with_commas(x.numel()), with_commas(most_elements));
    return x;
  });
}

// "h=8" as an axis and its size.
std::vector<AxisSize> axis_sizes() {
  std::vector<AxisSize> sizes;
  for (const std::string_view text : in.sizes) {
    const auto equals = text.find('=');
    check(equals != text.npos && equals > 0, "--sizes {}: write axis=size, for example h=8",
          lecture::as_typed(text));
    const std::string_view name = text.substr(0, equals);
    lecture::with_flag("--sizes", text, [&] {
      sizes.push_back({name, lecture::whole_number("size", text.substr(equals + 1), 0, INT64_MAX)});
    });
  }
  return sizes;
}

void print_elements(const Tensor& x) {
  lecture::gap();
  if (x.numel() > 48) {
    const Tensor first = x.flatten().slice(0, 0, 16);
    const std::string text = x.dtype() == DType::int64
                                 ? joined(first.to_vector<std::int64_t>(), " ")
                                 : joined(first.to_vector<double>(), " ",
                                          x.dtype() == DType::fp64 ? "{:.10g}" : "{:.5g}");
    return lecture::say("first of {} elements: {} ...", with_commas(x.numel()), text);
  }
  std::istringstream lines(to_string(x));
  for (std::string line; std::getline(lines, line);) lecture::print_line(line);
}

bool shares_any(const Tensor& result, const std::vector<Tensor>& operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Tensor& x) { return result.shares_storage(x); });
}

void report(const Tensor& result, const std::vector<Tensor>& operands) {
  const bool shares = shares_any(result, operands);
  lecture::Table table({{"tensor"}, {"shape"}, {"strides"}, {"type"}});
  const auto row = [&](std::string_view what, const Tensor& x) {
    table.row({lecture::translated(what), tuple(x.shape()), tuple(x.strides()),
               std::string(name(x.dtype()))});
  };
  for (const Tensor& x : operands) row("source", x);
  row("result", result);
  table.print();
  if (shares) {
    lecture::say("a view: the result shares the source's storage");
  } else {
    lecture::say("new memory: {} B", with_commas(result.storage_bytes()));
  }
  const Tensor seen = result.to(Device::cpu);
  print_elements(seen);
  lecture::value("shape", listed(result.shape()));
  lecture::value("strides", listed(result.strides()));
  lecture::value("shares_storage", shares);
  if (seen.numel() <= 4096) lecture::value("data", seen.to_vector<double>());
  lecture::value("numel", result.numel());
  for (std::size_t i = 0; i < operands.size(); ++i)
    lecture::value(fmt::format("source_{}_strides", i + 1), listed(operands[i].strides()));
  lecture::value("new_bytes", shares ? 0 : result.storage_bytes());
}

// Runs it first without data, so that everything is refused before anything is printed or taken.
// Positions are integers, of which none is rounded.
template <class Operation>
void run_on_positions(Operation operation, DType dtype = DType::int64) {
  const std::vector<AxisSize> sizes = axis_sizes();
  const Tensor plan = operation(on_meta(in.shape, dtype), sizes);
  check(plan.numel() <= most_elements, "{}: the result has {} elements; here at most {}",
        in.pattern, with_commas(plan.numel()), with_commas(most_elements));
  const Tensor x =
      arange(count_elements(Dims(in.shape)), {.dtype = dtype, .device = lecture::settings().device})
          .view(Dims(in.shape));
  report(operation(x, sizes), {x});
}

void run_rearrange() {
  run_on_positions([](const Tensor& x, const std::vector<AxisSize>& sizes) {
    return rearrange(x, in.pattern, sizes);
  });
}

void run_reduce() {
  const Reduction how =
      lecture::with_flag("operation", in.operation, [] { return reduction_named(in.operation); });
  const bool whole = how != Reduction::mean && how != Reduction::prod;  // prod: past 64 bits soon
  run_on_positions(
      [how](const Tensor& x, const std::vector<AxisSize>& sizes) {
        return reduce(x, in.pattern, how, sizes);
      },
      whole ? DType::int64 : DType::fp64);
}

void run_repeat() {
  run_on_positions([](const Tensor& x, const std::vector<AxisSize>& sizes) {
    return repeat(x, in.pattern, sizes);
  });
}

void run_einsum_command() {
  std::vector<Shape> shapes;
  for (const Numbers& shape : in.shapes) shapes.push_back(on_meta(shape, DType::fp32).shape());
  const EinsumPlan plan = explain_einsum(shapes, in.pattern);
  check(plan.flops <= most_flops, "{}: that takes {} FLOPs; here at most {}", in.pattern,
        short_number(plan.flops), short_number(most_flops));
  check(plan.bytes <= most_bytes, "{}: that moves {}; here at most {}", in.pattern,
        decimal_bytes(static_cast<double>(plan.bytes)),
        decimal_bytes(static_cast<double>(most_bytes)));
  Generator generator(lecture::settings().seed);
  std::vector<Tensor> operands;
  for (const Shape& shape : shapes)
    operands.push_back(randn(shape, {.device = lecture::settings().device}, generator));
  const WarningsTo nobody({});  // they are on the page, with the plan
  const Tensor result = einsum(operands, in.pattern);
  print_plan(plan);
  lecture::gap();
  report(result, operands);
  lecture::value("plan", sentences(plan.steps));
  lecture::value("flops", plan.flops);
  lecture::value("bytes", plan.bytes);
  lecture::value("warnings", sentences(plan.warnings));
}

lecture::Command& add_command(lecture::Demo& demo, const char* name, const char* help,
                              const char* example, void (*run)()) {
  return demo.command(name, help, run)
      .required("pattern", in.pattern, fmt::format("for example \"{}\"", example));
}

void add_shape_and_sizes(lecture::Command& command) {
  command.required("--shape", in.shape, "sizes of the source, whose elements are 0, 1, 2 ...")
      .input("--sizes", in.sizes, "sizes of axes that the shape does not tell: h=8,p=2");
}

}  // namespace

void add_rearrange_command(lecture::Demo& demo) {
  add_shape_and_sizes(add_command(demo, "rearrange", "split, exchange and merge axes",
                                  "b s (h d) -> b h s d", run_rearrange));
}

void add_reduce_command(lecture::Demo& demo) {
  lecture::Command& command =
      add_command(demo, "reduce", "the axes that the right side leaves out are reduced",
                  "b s d -> b d", run_reduce);
  command.required("operation", in.operation, "sum, mean, max, min or prod");
  add_shape_and_sizes(command);
}

void add_repeat_command(lecture::Demo& demo) {
  add_shape_and_sizes(add_command(demo, "repeat", "new axes repeat the source",
                                  "b kv s d -> b (kv g) s d", run_repeat));
}

void add_einsum_command(lecture::Demo& demo) {
  add_command(demo, "einsum", "products summed over the axes that the result leaves out",
              "b i k, b k j -> b i j", run_einsum_command)
      .required("--shape", in.shapes,
                "sizes of an operand (randn): once for each, or all in one, in quotes");
}

}  // namespace napkin
