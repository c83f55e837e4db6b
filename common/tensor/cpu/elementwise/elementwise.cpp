// The CPU loop of all elementwise operations: box by box, operands are brought into unbroken arrays
// of the compute type, the rule runs over them, and the result goes to its places in memory.
#include "common/tensor/cpu/elementwise/elementwise.h"

#include <optional>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/elementwise/loops.h"
#include "common/tensor/cpu/stream.h"
#include "common/tensor/number.h"
#include "common/tensor/views.h"

namespace napkin::cpu {
namespace {

static_assert(Walk::most == most_inputs + 1);
constexpr std::int64_t boxes_per_thread = 32;  // fewer are done sooner than a thread wakes up

// A number as a tensor of one element would hold it.
struct Number {
  explicit Number(Scalar s)
      : dtype(s.is_bool()      ? DType::boolean
              : s.is_integer() ? DType::int64
                               : DType::fp64) {
    store_number(s, dtype, bytes);
  }
  DType dtype;
  alignas(8) std::byte bytes[8];
};

struct Operation {
  const RuleInfo& rule;
  DType common;
  bool streams;
  Walk walk;
  Operand result;
  Operand inputs[most_inputs];
  DType through[most_inputs];  // what the inputs are rounded to
};

Loops loops_of(const RuleInfo& rule, DType compute) {
  int number = rule.number;
  if (number < ArithmeticRules::size) return arithmetic_loops(number, compute);
  number -= ArithmeticRules::size;
  if (number < FunctionRules::size) return function_loops(number, compute);
  return selection_loops(number - FunctionRules::size, compute);
}

void run_boxes(const Operation& op, std::int64_t first, std::int64_t last) {
  const DType compute = compute_type(op.common);
  const DType computed = op.rule.kind == Kind::comparison ? DType::boolean : compute;
  BoxReader readers[most_inputs];
  for (int k = 0; k < op.rule.operands; ++k) {
    const bool is_condition = op.rule.has_condition && k == 0;
    readers[k].open(op.walk, op.inputs[k], op.through[k], is_condition ? DType::boolean : compute);
  }
  BoxWriter writer(op.walk, op.result, computed, op.streams);
  const Loops loops = loops_of(op.rule, compute);
  for (std::int64_t n = first; n < last; ++n) {
    const Box box = box_at(op.walk, n);
    const void* elements[most_inputs];
    for (int k = 0; k < op.rule.operands; ++k) elements[k] = readers[k].read(box);
    const bool streams = loops.streaming != nullptr && writer.wants_streaming(box);
    void* target = writer.target(box, streams);
    (streams ? loops.streaming : loops.plain)(target, elements, box.columns * box.rows);
    writer.write(box, target);
  }
}

}  // namespace

void run(const RuleInfo& rule, const Tensor& result, Inputs inputs, DType common, bool fresh) {
  Layout layouts[most_inputs];
  const Layout* all[Walk::most] = {&result.layout()};
  std::optional<Number> numbers[most_inputs];
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Tensor* tensor = inputs[k].tensor;
    if (tensor != nullptr && tensor->shape() == result.shape()) {
      all[k + 1] = &tensor->layout();
      continue;
    }
    layouts[k] = expand(tensor != nullptr ? tensor->layout() : Layout{}, result.shape());
    all[k + 1] = &layouts[k];
    if (tensor == nullptr) numbers[k].emplace(inputs[k].number);
  }
  const bool streams = fresh && result.bytes() >= streaming_bytes;
  Operation op{rule,
               common,
               streams,
               plan_walk({all, inputs.size() + 1}),
               {0, result.dtype(), static_cast<std::byte*>(result.raw_data())},
               {},
               {}};
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Tensor* tensor = inputs[k].tensor;
    const int number = static_cast<int>(k) + 1;
    op.inputs[k] = tensor != nullptr ? Operand{number, tensor->dtype(),
                                               static_cast<std::byte*>(tensor->raw_data())}
                                     : Operand{number, numbers[k]->dtype, numbers[k]->bytes};
    op.through[k] = rounded_to(rule, number - 1, inputs[k], common);
  }
  if (result.numel() == 0) return;
  parallel_for(op.walk.boxes(), boxes_per_thread,
               [&](std::int64_t first, std::int64_t last) { run_boxes(op, first, last); });
}

}  // namespace napkin::cpu
