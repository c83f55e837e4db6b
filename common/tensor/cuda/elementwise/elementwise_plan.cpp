#include "common/tensor/cuda/elementwise/elementwise_plan.h"

#include "common/numeric/dtype.h"
#include "common/tensor/number.h"
#include "common/tensor/views.h"

namespace napkin::cuda {
namespace {

template <class Compute>
void put_number(PlannedOperand& operand, const std::byte* at, DType dtype) {
  const auto number = read_element<Compute>(at, dtype, operand.through);
  std::memcpy(operand.number, &number, sizeof(number));
}

// The number's value in the type that the kernel computes in.
void put_number(PlannedOperand& operand, DType compute, const std::byte* at, DType dtype) {
  if (compute == DType::fp64) return put_number<double>(operand, at, dtype);
  if (compute == DType::fp32) return put_number<float>(operand, at, dtype);
  put_number<std::int64_t>(operand, at, dtype);
}

PlannedOperand plan_operand(const Input& input, const ElementwisePlan& plan, Device device,
                            DType through) {
  PlannedOperand operand;
  operand.through = through;
  if (input.tensor != nullptr && input.tensor->device() == device) {
    operand.dtype = input.tensor->dtype();
    operand.data = static_cast<const std::byte*>(input.tensor->raw_data());
    return operand;
  }
  alignas(8) std::byte number[8];
  const std::byte* at = number;
  if (input.tensor != nullptr) {
    operand.dtype = input.tensor->dtype();
    at = static_cast<const std::byte*>(input.tensor->raw_data());
  } else {
    operand.dtype = input.number.is_bool()      ? DType::boolean
                    : input.number.is_integer() ? DType::int64
                                                : DType::fp64;
    store_number(input.number, operand.dtype, number);
  }
  put_number(operand, plan.compute, at, operand.dtype);
  return operand;
}

Walk walk_of(const Tensor& result, Inputs inputs) {
  Layout layouts[most_inputs];
  const Layout* all[Walk::most] = {&result.layout()};
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Tensor* tensor = inputs[k].tensor;
    layouts[k] = expand(tensor != nullptr ? tensor->layout() : Layout{}, result.shape());
    all[k + 1] = &layouts[k];
  }
  return plan_walk({all, inputs.size() + 1});
}

bool is_multiple(std::int64_t number, std::int64_t of) { return number % of == 0; }

// Whether every packet of the operand begins where an access of its size may: the first one, and
// those that any other dimension leads to.
bool packets_are_aligned(const Walk& walk, int k, const std::byte* data, std::int64_t size,
                         std::int64_t width) {
  const Strides& strides = walk.strides[static_cast<std::size_t>(k)];
  for (int d = 1; d < walk.shape.size(); ++d)
    if (!is_multiple(strides[d], width)) return false;
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size * width) == 0;
}

bool takes_packets(const ElementwisePlan& plan, const RuleInfo& rule) {
  const Walk& walk = plan.walk;
  const DType result = rule.kind == Kind::comparison ? DType::boolean : plan.common;
  if (plan.compute != DType::fp32 || is_fp8(plan.common)) return false;
  if (plan.dtype != result || !is_along(plan, 0)) return false;
  const std::int64_t width = packet_bytes / size_of(plan.common);
  const bool one_row = walk.shape.size() == 2 && walk.shape[1] == 1;
  if (!one_row && !is_multiple(walk.shape[0], width)) return false;
  if (!packets_are_aligned(walk, 0, plan.result, size_of(result), width)) return false;
  for (int k = 0; k < plan.operands; ++k) {
    const PlannedOperand& operand = plan.inputs[k];
    if (walk.strides[static_cast<std::size_t>(k) + 1][0] == 0) continue;  // one element for all
    const DType packed = rule.has_condition && k == 0 ? DType::boolean : plan.common;
    if (!is_along(plan, k + 1) || operand.dtype != packed ||
        !packets_are_aligned(walk, k + 1, operand.data, size_of(packed), width))
      return false;
  }
  return true;
}

}  // namespace

ElementwisePlan plan_elementwise(const RuleInfo& rule, const Tensor& result, Inputs inputs,
                                 DType common) {
  ElementwisePlan plan{rule.number,
                       rule.operands,
                       common,
                       compute_type(common),
                       result.dtype(),
                       static_cast<std::byte*>(result.raw_data()),
                       walk_of(result, inputs),
                       {},
                       false};
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const DType through = rounded_to(rule, static_cast<int>(k), inputs[k], common);
    plan.inputs[k] = plan_operand(inputs[k], plan, result.device(), through);
  }
  plan.takes_packets = takes_packets(plan, rule);
  return plan;
}

}  // namespace napkin::cuda
