// Which kernels a reduction takes. `Engine` starts them: on the GPU (reduce_*.cu), or, for tests,
// on the host.
#pragma once
#include "common/numeric/dtype.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/copy/copy.h"
#include "common/tensor/cuda/plan.h"
#include "common/tensor/cuda/reduce/reduce_kernels.h"
#include "common/tensor/rules/reduce_plan.h"

namespace napkin::cuda {

// Memory of one computation, where the operand is; given back in the order of the stream.
inline Tensor room(const Tensor& like, std::int64_t bytes) {
  return empty({bytes}, {DType::uint8, like.device(), Category::temporary});
}
template <class T>
T* as(const Tensor& x) {
  return static_cast<T*>(x.raw_data());
}

// Copies and fills that are part of an operation, where its tensors are.
inline void copy_there(const Tensor& to, const Tensor& from) {
  to.device() == Device::cpu ? cpu::copy(to, from) : copy(to, from, usual_overflow(to.dtype()));
}
inline void fill_there(const Tensor& x, Scalar value) {
  x.device() == Device::cpu ? cpu::fill(x, value) : fill(x, value);
}

// Elements that are still to be combined.
struct Elements {
  const std::byte* data;
  DType dtype;
};

// One pass over dimension d of what remains; the results stand side by side in what is returned.
template <class Rule, class S, class Engine>
Tensor reduce_pass(const Engine& engine, const Tensor& like, const Remaining& r, int d,
                   const Elements& x, const double* parameters) {
  using Kernel = ReduceBlocks<Rule, S>;
  using T = typename Kernel::T;
  const std::int64_t size = size_of(x.dtype);
  Walk others;  // all dimensions but d
  const Strides to_parameter = r.to_results();
  for (int i = 0; i < r.shape.size(); ++i) {
    if (i == d) continue;
    others.shape.push_back(r.shape[i]);
    others.strides[0].push_back(r.strides[i]);
    others.strides[1].push_back(to_parameter[i]);
  }
  Kernel kernel{.places = places_of<2>(others, {size, 8}),
                .results = r.results(d),
                .blocks = (r.shape[d] - 1) / reduce_block + 1,
                .count = r.shape[d],
                .step = r.strides[d] * size,
                .along_rows = d == 0,
                .packets = false,
                .x = x.data,
                .dtype = x.dtype,
                .parameters = parameters,
                .partial = nullptr};
  const std::int64_t packet = std::min<std::int64_t>(4 * size, packet_bytes);
  kernel.packets =
      r.strides[d] == 1 &&
      reinterpret_cast<std::uintptr_t>(x.data) % static_cast<std::uintptr_t>(packet) == 0;
  for (const std::int64_t stride : others.strides[0])
    kernel.packets = kernel.packets && stride * size % packet == 0;
  const Tensor partial =
      room(like, kernel.results * kernel.blocks * static_cast<std::int64_t>(sizeof(T)));
  kernel.partial = as<T>(partial);
  engine.launch(kernel, kernel.grid());
  const FoldBlocks<typename Rule::Combine, T> fold(kernel.results, kernel.blocks, kernel.partial);
  if (kernel.blocks > 1) engine.launch(fold, fold.grid());
  return partial;
}

template <class T, class Engine>
void finish_with(const Engine& engine, const Tensor& result, const Tensor& results,
                 const Dims& order, const Dims& is_reduced, Finish finish, double number) {
  const Tensor ordered = in_memory_order(result, order, is_reduced);
  engine.launch(FinishResults<T>{as<T>(results), result.numel(), finish, number,
                                 as<std::byte>(ordered), ordered.dtype(), size_of(ordered.dtype())},
                gpu::grid_for(result.numel()));
  if (!ordered.shares_storage(result)) copy_there(result.view(ordered.shape()), ordered);
}

// All passes.
template <class Rule, class S, class Engine>
Tensor reduce_all(const Engine& engine, const Tensor& x, const ReduceTask& reduction,
                  const double* parameters) {
  using Combined = Plain<typename Rule::Combine>;
  constexpr bool is_plain = std::is_same_v<typename Rule::template Result<S>, S> &&
                            (std::is_same_v<Rule, WideSum> ||
                             (std::is_base_of_v<Combined, Rule> &&
                              !std::is_base_of_v<Magnitude<typename Rule::Combine>, Rule>));
  using First = std::conditional_t<is_plain, Combined, Rule>;
  using T = typename Rule::template Result<S>;
  Remaining r(x.layout(), reduction.order, reduction.is_reduced);
  int d = r.next();
  Tensor results =
      reduce_pass<Values<First>, S>(engine, x, r, d, {as<std::byte>(x), x.dtype()}, parameters);
  for (r.drop(d); (d = r.next()) >= 0; r.drop(d))
    results = reduce_pass<Values<Combined>, T>(engine, x, r, d,
                                               {as<std::byte>(results), dtype_of<T>}, nullptr);
  return results;
}

template <class Rule, class S, class Engine>
void reduce_with(const Engine& engine, const Tensor& result, const Tensor& x,
                 const ReduceTask& reduction) {
  using T = typename Rule::template Result<S>;
  Tensor parameters;
  if constexpr (HasParameter<Rule>) {
    parameters = empty({result.numel()}, {DType::fp64, x.device(), Category::temporary});
    if constexpr (std::is_same_v<Rule, SquaredDeviations>) {
      const Tensor sums = reduce_all<WideSum, S>(engine, x, reduction, nullptr);
      engine.launch(FinishResults<double>{as<double>(sums), result.numel(), Finish::divide,
                                          static_cast<double>(x.numel() / result.numel()),
                                          as<std::byte>(parameters), DType::fp64, 8},
                    gpu::grid_for(result.numel()));
    } else {
      fill_there(parameters, reduction.number);
    }
  }
  const Tensor results = reduce_all<Rule, S>(
      engine, x, reduction, parameters.defined() ? as<double>(parameters) : nullptr);
  finish_with<T>(engine, result, results, reduction.order, reduction.is_reduced, reduction.finish,
                 reduction.number);
}

// The rule of that number, for elements that are computed in S.
template <class S, class Engine, class... Rules>
void reduce_by_number(const Engine& engine, const Tensor& result, const Tensor& x,
                      const ReduceTask& reduction, RuleList<Rules...>) {
  const auto run = [&]<class Rule>(TypeTag<Rule>) {
    if constexpr (!std::is_integral_v<S> || std::is_same_v<Rule, Sum> ||
                  std::is_same_v<Rule, Product> || std::is_same_v<Rule, Largest> ||
                  std::is_same_v<Rule, Smallest>)
      if (reduction.rule == reduction_number<Rule>)
        reduce_with<Rule, S>(engine, result, x, reduction);
  };
  (run(TypeTag<Rules>{}), ...);
}

template <class S, class Engine>
void place_with(const Engine& engine, const Tensor& result, const Tensor& x, const Dims& order,
                const Dims& is_reduced, bool largest) {
  const Remaining r(x.layout(), order, is_reduced);
  const Elements elements{as<std::byte>(x), x.dtype()};
  const Tensor places =
      largest ? reduce_pass<Positions<Largest>, S>(engine, x, r, r.next(), elements, nullptr)
              : reduce_pass<Positions<Smallest>, S>(engine, x, r, r.next(), elements, nullptr);
  finish_with<Place<S>>(engine, result, places, order, is_reduced, Finish::nothing, 0);
}

}  // namespace napkin::cuda
