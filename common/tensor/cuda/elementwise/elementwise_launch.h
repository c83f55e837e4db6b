// From a plan to a kernel of its rule; `Engine` starts it, on the GPU or, for tests, on the host.
#pragma once
#include <cstring>

#include "common/tensor/cuda/elementwise/elementwise_kernels.h"
#include "common/tensor/cuda/elementwise/elementwise_plan.h"
#include "common/tensor/cuda/plan.h"

namespace napkin::cuda {

template <class Compute, int operands>
void set_sources(Source<Compute> (&sources)[operands], const ElementwisePlan& plan) {
  for (int k = 0; k < operands; ++k) {
    const PlannedOperand& operand = plan.inputs[k];
    sources[k] = {operand.data,
                  operand.dtype,
                  operand.through,
                  operand.data != nullptr && is_along(plan, k + 1),
                  {}};
    std::memcpy(&sources[k].number, operand.number, sizeof(Compute));
  }
}

template <int tensors>
Places<tensors> places_of(const ElementwisePlan& plan, std::int64_t width) {
  std::int64_t sizes[tensors] = {size_of(plan.dtype)};
  for (int k = 1; k < tensors; ++k) sizes[k] = size_of(plan.inputs[k - 1].dtype);
  return places_of<tensors>(plan.walk, sizes, width);
}

template <class T, class Rule, class Engine>
void launch_packets(const Engine& engine, const ElementwisePlan& plan) {
  using Kernel = ElementwisePackets<Rule, T>;
  Kernel kernel;
  kernel.places = places_of<Rule::operands + 1>(plan, Kernel::width);
  kernel.packets = kernel.places.items();
  kernel.rest = static_cast<int>(plan.walk.shape[0] % Kernel::width);
  kernel.result = plan.result;
  set_sources(kernel.sources, plan);
  engine.launch(kernel, gpu::grid_for(kernel.packets + (kernel.rest > 0 ? 1 : 0)));
}

template <class Compute, class Rule, class Engine>
void launch_any(const Engine& engine, const ElementwisePlan& plan) {
  if constexpr (std::is_floating_point_v<Compute> || Rule::kind != Kind::real) {
    Elementwise<Rule, Compute> kernel;
    kernel.places = places_of<Rule::operands + 1>(plan, 1);
    kernel.count = kernel.places.items();
    kernel.result = plan.result;
    kernel.dtype = plan.dtype;
    set_sources(kernel.sources, plan);
    engine.launch(kernel, gpu::grid_for(kernel.count));
  }
}

// The kernel of plan.rule, of those in the list.
template <class T, class Engine, class... Rules>
void run_packets(const Engine& engine, const ElementwisePlan& plan, RuleList<Rules...>) {
  using Launch = void (*)(const Engine&, const ElementwisePlan&);
  static constexpr Launch launches[] = {launch_packets<T, Rules, Engine>...};
  launches[plan.rule](engine, plan);
}

template <class Compute, class Engine, class... Rules>
void run_any(const Engine& engine, const ElementwisePlan& plan, RuleList<Rules...>) {
  using Launch = void (*)(const Engine&, const ElementwisePlan&);
  static constexpr Launch launches[] = {launch_any<Compute, Rules, Engine>...};
  launches[plan.rule](engine, plan);
}

}  // namespace napkin::cuda
