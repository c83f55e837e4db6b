// Which kernels picking and adding by position take. `Engine` starts them, sorts and has memory: on
// the GPU (sort_engine.cuh), or, for tests, on the host.
#pragma once
#include <bit>

#include "common/tensor/cuda/copy/copy_plan.h"
#include "common/tensor/cuda/index/sorted_addition_kernels.h"

namespace napkin::cuda {

inline Layout without_steps(const Tensor& x, int dim, const Shape& shape) {
  Layout layout = x.layout();
  layout.shape = shape;
  layout.strides[dim] = 0;
  return layout;
}

inline Index index_of(const Tensor& index, std::int64_t size, gpu::FaultReporter faults) {
  return {elements_of(index), index.dtype() == DType::int64, size, faults};
}

// Neighbouring elements that one thread picks: those of one index, 16 bytes at most, where every
// place allows. `along`: x's step along the dimension of the index.
inline std::int64_t elements_picked_as_one(const Walk& walk, const Tensor& result, const Tensor& x,
                                           std::int64_t along) {
  if (walk.strides[2][0] != 0) return 1;
  std::int64_t packet =
      elements_moved_as_one(walk, elements_of(result), elements_of(x), size_of(x.dtype()));
  while (along % packet != 0) packet /= 2;
  return packet;
}

template <class Element, class Engine>
void pick_as(Engine&& engine, const Walk& walk, Pick<Element> kernel, const Tensor& x,
             const Tensor& index) {
  const std::int64_t size = size_of(x.dtype()), bytes = sizeof(Element);
  kernel.places = places_of<3>(walk, {size, size, size_of(index.dtype())}, bytes / size);
  kernel.count = kernel.places.items();
  engine.launch(kernel, gpu::grid_for(kernel.count));
}

template <class Engine>
void gather_with(Engine&& engine, const Tensor& result, const Tensor& x, int dim,
                 const Tensor& index, gpu::FaultReporter faults) {
  const Layout from = without_steps(x, dim, index.shape());
  const Layout* layouts[] = {&result.layout(), &from, &index.layout()};
  const Walk walk = plan_walk(layouts);
  const std::int64_t size = size_of(x.dtype()), along = x.stride(dim);
  const std::int64_t packet = elements_picked_as_one(walk, result, x, along);
  const auto pick = [&](auto element) {
    using Element = decltype(element);
    pick_as<Element>(engine, walk,
                     {{},
                      0,
                      elements_of(result),
                      elements_of(x),
                      along * size,
                      index_of(index, x.size(dim), faults)},
                     x, index);
  };
  switch (packet * size) {
    case 1:
      return pick(std::uint8_t{});
    case 2:
      return pick(std::uint16_t{});
    case 4:
      return pick(std::uint32_t{});
    case 8:
      return pick(std::uint64_t{});
    default:
      return pick(Block{});
  }
}

inline bool adds_slices(const Tensor& index, int dim) {
  for (int d = 0; d < index.rank(); ++d)
    if (d != dim && index.size(d) != 1 && index.stride(d) != 0) return false;
  return true;
}

struct AdditionPlan {
  Additions additions;
  int width;  // columns that a thread takes: 4 of FP32, or 1
};

inline AdditionPlan plan_additions(const Tensor& x, int dim, const Tensor& index,
                                   const Tensor& source, gpu::FaultReporter faults) {
  const std::int64_t size = size_of(x.dtype());
  const Tensor firsts[] = {x.select(dim, 0), source.select(dim, 0), index.select(dim, 0)};
  const Layout* layouts[] = {&firsts[0].layout(), &firsts[1].layout(), &firsts[2].layout()};
  AdditionPlan plan{{{},
                     {},
                     1,
                     1,
                     index.size(dim),
                     x.stride(dim) * size,
                     source.stride(dim) * size,
                     index.stride(dim) * size_of(index.dtype()),
                     elements_of(x),
                     elements_of(source),
                     x.dtype(),
                     index_of(index, x.size(dim), faults)},
                    1};
  Additions& a = plan.additions;
  if (!adds_slices(index, dim)) {
    a.lines = places_of<3>(plan_walk(layouts), {size, size, size_of(index.dtype())});
    a.line_count = a.lines.items();
    a.columns.sizes[0] = 1;
    return plan;
  }
  const Walk walk = plan_walk({layouts, 2});
  if (x.dtype() == DType::fp32 && (a.x_step | a.source_step) % packet_bytes == 0 &&
      elements_moved_as_one(walk, a.x, a.source, size) == 4)
    plan.width = 4;
  a.columns = places_of<2>(walk, {size, size}, plan.width);
  a.column_count = a.columns.items();
  return plan;
}

// Bits that hold a number.
inline int bits_of(std::int64_t number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

// Parts that there can be at most: one a term, or a place and run.
inline std::int64_t most_parts(const Additions& a) {
  const std::int64_t runs = (a.positions - 1) / terms_of_a_sum + 1;
  const std::int64_t terms = a.items();
  return a.keys() >= terms / runs ? terms : std::min(terms, a.keys() * runs + 1);
}

template <class Compute, int width, class Engine>
void sum_parts(Engine&& engine, const Additions& a, const SortedTerms& terms,
               const std::uint32_t* begins, const std::uint32_t* count) {
  using Sums = Packet<Compute, width>;
  const std::int64_t most = most_parts(a);
  const auto sums = engine.template memory<Sums>(most * a.column_count);
  const Parts<Compute, width> parts{{a}, terms, begins, count, most, sums.data()};
  const gpu::Grid grid = gpu::grid_for(most * a.column_count);
  engine.launch(SumParts<Compute, width>{parts}, grid);
  engine.launch(JoinParts<Compute, width>{parts}, grid);
}

template <class Compute, int width, class Engine>
void add_sorted(Engine&& engine, const Additions& a) {
  const std::int64_t count = a.items();
  auto pairs = engine.pairs(count);
  engine.launch(FindKeys{a, pairs.keys(), pairs.values()}, gpu::grid_for(count));
  engine.sort(pairs, bits_of(a.keys()));
  const SortedTerms terms{pairs.keys(), pairs.values(), count};
  const auto marks = engine.template memory<std::uint8_t>(count);
  const auto begins = engine.template memory<std::uint32_t>(count + 1);  // and how many
  engine.launch(MarkParts{a, terms, marks.data()}, gpu::grid_for(count));
  engine.select(marks.data(), begins.data() + 1, begins.data(), count);
  sum_parts<Compute, width>(engine, a, terms, begins.data() + 1, begins.data());
}

// Rows x terms, that many blocks look through more quickly than they are sorted.
inline constexpr std::int64_t quickly_scanned = 1 << 23;

template <class Compute, int width, class Engine>
void add_in_order(Engine&& engine, const Additions& a, std::int64_t few) {
  const ScanRows<Compute, width> scan{{a}};
  if (a.keys() > few / a.positions || !scan.is_possible()) {
    add_sorted<Compute, width>(engine, a);
    return;
  }
  engine.launch(scan, {a.keys(), scan.threads});
}

template <class Engine>
void add_in_order_with(Engine&& engine, const AdditionPlan& plan, std::int64_t few) {
  const Additions& a = plan.additions;
  if (plan.width == 4) return add_in_order<float, 4>(engine, a, few);
  if (is_computed_in<float>(a.dtype)) return add_in_order<float, 1>(engine, a, few);
  if (is_computed_in<double>(a.dtype)) return add_in_order<double, 1>(engine, a, few);
  add_in_order<std::int64_t, 1>(engine, a, few);
}

template <class Compute, class Engine>
void add_racy_as(Engine&& engine, const Walk& walk, const Additions& a, std::int64_t index_size) {
  const std::int64_t size = size_of(a.dtype);
  AddRacy<Compute> kernel{places_of<3>(walk, {size, size, index_size}), 0, a};
  kernel.count = kernel.places.items();
  engine.launch(kernel, gpu::grid_for(kernel.count));
}

template <class Engine>
void scatter_add_with(Engine&& engine, const Tensor& x, int dim, const Tensor& index,
                      const Tensor& source, Order order, gpu::FaultReporter faults,
                      std::int64_t few = quickly_scanned) {
  const AdditionPlan plan = plan_additions(x, dim, index, source, faults);
  if (order == Order::fixed) {
    check(plan.additions.items() <= std::int64_t{1} << 31,
          "{} terms are added by position; on the GPU 2^31 are allowed at a time",
          plan.additions.items());
    return add_in_order_with(engine, plan, few);
  }
  const Layout to = without_steps(x, dim, index.shape());
  const Layout* layouts[] = {&source.layout(), &to, &index.layout()};
  const Walk walk = plan_walk(layouts);
  const std::int64_t index_size = size_of(index.dtype());
  if (is_computed_in<float>(x.dtype()))
    return add_racy_as<float>(engine, walk, plan.additions, index_size);
  if (is_computed_in<double>(x.dtype()))
    return add_racy_as<double>(engine, walk, plan.additions, index_size);
  add_racy_as<std::int64_t>(engine, walk, plan.additions, index_size);
}

}  // namespace napkin::cuda
