// From operands to a result: what is checked, which dtype, shape and strides come out, who is told.
#include "common/tensor/operations/apply.h"

#include <array>

#include "common/core/observer.h"
#include "common/tensor/cpu/elementwise/elementwise.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/elementwise/elementwise.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/order.h"
#include "common/tensor/views.h"

namespace napkin {
namespace {

// What a rule and its inputs make of the result.
struct Plan {
  Device device;
  DType common;  // what all operands are converted to
  DType result;
  Shape shape;
};

// Where the operands are. On the GPU a 0-dimensional tensor of the computer counts as a number, as
// in PyTorch.
Device device_of(const RuleInfo& rule, Inputs inputs) {
  const Tensor* decides = nullptr;  // the first tensor, or one on the GPU
  for (const Input& input : inputs)
    if (input.tensor != nullptr && (decides == nullptr || input.tensor->device() == Device::cuda))
      decides = input.tensor;
  const Device device = decides->device();
  for (const Input& input : inputs) {
    if (input.tensor == nullptr || input.tensor->device() == device) continue;
    check(device == Device::cuda && input.tensor->device() == Device::cpu &&
              input.tensor->rank() == 0,
          "{}: one operand is on {}, another on {}", name(rule.op), name(device),
          name(input.tensor->device()));
  }
  return device;
}

Plan plan(const RuleInfo& rule, Inputs inputs) {
  const Tensor* first = nullptr;
  Plan p{};
  for (const Input& input : inputs) {
    if (input.tensor == nullptr) continue;
    const Tensor& t = *input.tensor;
    p.shape = first == nullptr ? t.shape() : broadcast(p.shape, t.shape());
    if (first == nullptr) first = &t;
  }
  p.device = device_of(rule, inputs);
  p.common = result_type(inputs);
  check_defined(rule.op, p.common, p.device);
  if (rule.kind == Kind::real && !is_floating(p.common)) p.common = DType::fp32;
  p.result = rule.kind == Kind::comparison ? DType::boolean : p.common;
  return p;
}

void report(const RuleInfo& rule, Inputs inputs, const Tensor& result) {
  if (!anyone_listens()) return;
  std::int64_t read = 0;
  for (const Input& input : inputs)
    if (input.tensor != nullptr) read += distinct_bytes(*input.tensor);
  notify(OperationEvent{name(rule.op), result.device(),
                        static_cast<double>(result.numel()) * rule.flops, read, result.bytes()});
}

// Strides of the result: PyTorch's, which keep the order of the operands' dimensions in memory.
Strides result_strides(const Shape& shape, Inputs inputs) {
  Layout layouts[most_inputs];
  const Layout* given[most_inputs];
  std::size_t count = 0;
  for (const Input& input : inputs)
    if (input.tensor != nullptr) {
      given[count] = &input.tensor->layout();
      if (given[count]->shape != shape)
        given[count] = &(layouts[count] = expand(*given[count], shape));
      ++count;
    }
  return preserved_strides(shape, {given, count});
}

// The loop of the result's device. On meta there is nothing to compute, only to report.
void run(const RuleInfo& rule, const Tensor& result, Inputs inputs, const Plan& p, bool fresh) {
  if (p.device == Device::cpu) cpu::run(rule, result, inputs, p.common, fresh);
  if (p.device == Device::cuda && result.numel() > 0) cuda::run(rule, result, inputs, p.common);
  report(rule, inputs, result);
}

// Whether a value of one dtype may be written into another in place (torch.can_cast).
bool can_cast(DType from, DType to) {
  if (is_floating(from)) return is_floating(to);
  return from == DType::boolean || to != DType::boolean;
}

Tensor new_result(const RuleInfo& rule, Inputs all) {
  const Plan p = plan(rule, all);
  const Tensor result =
      empty_strided(p.shape, result_strides(p.shape, all), {.dtype = p.result, .device = p.device});
  run(rule, result, all, p, true);
  return result;
}

Tensor autocast_result(const RuleInfo& rule, Inputs given) {
  Input all[most_inputs];
  const Tensor* tensors[most_inputs] = {};
  std::optional<Tensor> room[most_inputs];
  for (std::size_t k = 0; k < given.size(); ++k) tensors[k] = given[k].tensor;
  autocast(rule.op, tensors, room);
  for (std::size_t k = 0; k < given.size(); ++k) (all[k] = given[k]).tensor = tensors[k];
  return new_result(rule, {all, given.size()});
}

}  // namespace

Tensor apply(const RuleInfo& rule, std::initializer_list<Input> inputs) {
  const Inputs all(inputs.begin(), inputs.size());
  if (newest_autocast != nullptr) [[unlikely]]
    return autocast_result(rule, all);
  return new_result(rule, all);
}

void apply_in_place(const RuleInfo& rule, std::initializer_list<Input> inputs) {
  const Tensor& x = *inputs.begin()->tensor;
  check_writable(x, std::string(name(rule.op)) + "_");
  const Plan p = plan(rule, {inputs.begin(), inputs.size()});
  check(p.device == x.device(), "{}_: a result on {} cannot be written into a tensor on {}",
        name(rule.op), name(p.device), name(x.device()));
  check(p.shape == x.shape(), "{}_: a result of shape {} cannot be written into shape {}",
        name(rule.op), p.shape, x.shape());
  check(can_cast(p.result, x.dtype()), "{}_: a {} result cannot be written into a {} tensor",
        name(rule.op), name(p.result), name(x.dtype()));
  Tensor apart[most_inputs];
  std::array<Input, most_inputs> all;
  std::size_t count = 0;
  for (const Input& input : inputs) {
    all[count] = input;
    if (input.tensor != nullptr && may_share_memory(*input.tensor, x) &&
        !same_elements(*input.tensor, x)) {
      apart[count] = input.tensor->clone();
      all[count].tensor = &apart[count];
    }
    ++count;
  }
  run(rule, x, {all.data(), count}, p, false);
  x.storage()->bump_version();
}

}  // namespace napkin
