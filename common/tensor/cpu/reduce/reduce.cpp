// Reductions on the CPU: one pass for each run of dimensions that go (reduce_plan.h).
#include "common/tensor/cpu/reduce/reduce.h"

#include <algorithm>
#include <cmath>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/boxes.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/cpu/reduce/prepare.h"
#include "common/tensor/cpu/reduce/reduce_loops.h"
#include "common/tensor/cpu/workspace.h"
#include "common/tensor/rules/reduce.h"
#include "common/tensor/rules/reduce_plan.h"

namespace napkin::cpu {
namespace {

constexpr std::int64_t columns_of_halves = 256, columns_in_place = 1024;

// The walk of one pass, over (0) the elements to be combined, (1) the number of the result that
// they belong to, (2) their number in that result, (3) the number of their parameter. The reduced
// dimension is the fastest or the second one.
Walk walk_of(const Remaining& r, int d) {
  Walk walk;
  walk.operands = 4;
  const Strides parameters = r.to_results();
  std::int64_t next = 1;
  const auto push = [&](int i) {
    const bool reduces = i == d;
    walk.shape.push_back(r.shape[i]);
    walk.strides[0].push_back(r.strides[i]);
    walk.strides[1].push_back(reduces ? 0 : next);
    walk.strides[2].push_back(reduces ? 1 : 0);
    walk.strides[3].push_back(parameters[i]);
    if (!reduces) next *= r.shape[i];
  };
  push(0);
  if (d > 0) push(d);
  for (int i = 1; i < r.shape.size(); ++i)
    if (i != d) push(i);
  if (walk.shape.size() < 2) {
    walk.shape.push_back(1);
    for (std::size_t k = 0; k < 4; ++k) walk.strides[k].push_back(0);
  }
  return walk;
}

// What is done with elements before a pass (prepare.h).
struct Prepared {
  Preparation by;
  double parameter = 0;
};

// One pass: dimension d of what remains is combined. The results stand side by side in the order of
// the dimensions that are left.
class Pass {
 public:
  Pass(const Remaining& r, int d, const Operand& x, const ReduceLoops& loops,
       const double* parameters, const Prepared& prepared = {})
      : walk_(walk_of(r, d)),
        x_(x),
        compute_(compute_type(x.dtype)),
        loops_(loops),
        parameters_(parameters),
        prepared_(prepared),
        in_place_(prepared.by.run == nullptr && x.dtype == compute_ && walk_.strides[0][0] == 1),
        along_rows_(d == 0),
        results_(r.results(d)),
        blocks_((r.shape[d] - 1) / reduce_block + 1) {
    if (along_rows_) {
      walk_.columns = std::min(r.shape[d], reduce_block);
      walk_.rows = std::min(walk_.shape[1], Walk::box_elements / walk_.columns);
    } else {
      walk_.rows = std::min(r.shape[d], reduce_block);
      choose_columns();
    }
  }

  Workspace<std::byte> run() {
    Workspace<std::byte> results(blocks_ * results_ * loops_.bytes);  // (blocks, results)
    const std::int64_t box = walk_.columns * walk_.rows;
    parallel_for(walk_.boxes(), std::max<std::int64_t>(1, (32 << 10) / box),
                 [&](std::int64_t first, std::int64_t last) {
                   along_rows_ ? reduce_rows(results.data(), first, last)
                               : reduce_columns(results.data(), first, last);
                 });
    loops_.fold(results.data(), blocks_, results_);
    return results;
  }

 private:
  // Wide boxes read memory in long runs, but there should be some for every thread.
  void choose_columns() {
    walk_.columns = std::min(walk_.shape[0], in_place_ ? columns_in_place : columns_of_halves);
    while (walk_.columns > 64 && walk_.boxes() < 4 * threads()) walk_.columns /= 2;
  }

  std::byte* place(std::byte* results, const Box& box) const {
    return results + (box.start[2] / reduce_block * results_ + box.start[1]) * loops_.bytes;
  }

  Part part_of(const Box& box, const void* elements, std::int64_t step) const {
    const double* parameters = parameters_ == nullptr ? nullptr : parameters_ + box.start[3];
    return {elements, box.rows, box.columns, step, box.start[2], parameters, walk_.strides[3][1]};
  }

  // The elements of boxes, unbroken and prepared.
  class Elements {
   public:
    explicit Elements(const Pass& pass) : prepared_(pass.prepared_) {
      reader_.open(pass.walk_, pass.x_, pass.compute_, pass.compute_);
    }
    const void* read(const Box& box) {
      const void* x = reader_.read(box);
      if (prepared_.by.run == nullptr) return x;
      prepared_.by.run(buffer_, x, box.rows * box.columns, prepared_.parameter);
      return buffer_;
    }

   private:
    const Prepared& prepared_;
    BoxReader reader_;
    double buffer_[Walk::box_elements];
  };

  // The reduced dimension is the fastest one: every row of a box is one block.
  void reduce_rows(std::byte* results, std::int64_t first, std::int64_t last) const {
    Elements elements(*this);
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk_, n);
      const Part part =
          in_place_ ? part_of(box, x_.data + box.start[0] * size_of(compute_), walk_.strides[0][1])
                    : part_of(box, elements.read(box), box.columns);
      loops_.rows(place(results, box), part);
    }
  }

  // It is the second one: every column of a box is one block.
  void reduce_columns(std::byte* results, std::int64_t first, std::int64_t last) const {
    Elements elements(*this);
    const Workspace<std::byte> lanes(reduce_lanes * walk_.columns * 8);
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk_, n);
      to_lanes(lanes.data(), box, elements);
      loops_.from_lanes(place(results, box), lanes.data(), box.rows, box.columns, box.start[2]);
    }
  }

  void to_lanes(std::byte* lanes, const Box& box, Elements& elements) const {
    const std::int64_t step = walk_.strides[0][1];
    if (in_place_)  // rows are read where they stand
      return loops_.to_lanes(lanes, part_of(box, x_.data + box.start[0] * size_of(compute_), step));
    const std::int64_t most = Walk::box_elements / box.columns;
    for (std::int64_t row = 0; row < box.rows; row += most) {
      Box some = box;
      some.rows = std::min(most, box.rows - row);
      some.start[0] += row * step;
      some.start[2] += row;
      loops_.to_lanes(lanes, part_of(some, elements.read(some), box.columns));
    }
  }

  Walk walk_;
  Operand x_;
  DType compute_;
  ReduceLoops loops_;
  const double* parameters_;
  Prepared prepared_;
  bool in_place_, along_rows_;
  std::int64_t results_, blocks_;
};

Operand operand_of(const Tensor& x) {
  return {0, x.dtype(), static_cast<std::byte*>(x.raw_data())};
}

// All passes. Leaves the results side by side.
Workspace<std::byte> reduce(const Tensor& x, const ReduceTask& reduction, int rule,
                            const double* parameters, DType& type) {
  Remaining r(x.layout(), reduction.order, reduction.is_reduced);
  Prepared prepared{preparation(rule, compute_type(x.dtype())), reduction.number};
  ReduceLoops loops = prepared.by.run != nullptr ? combine_loops(rule, prepared.by.result)
                                                 : reduce_loops(rule, compute_type(x.dtype()));
  Operand left = operand_of(x);
  Workspace<std::byte> results(0);
  for (int d = r.next(); d >= 0; d = r.next()) {
    results = Pass(r, d, left, loops, parameters, prepared).run();
    r.drop(d);
    left = {0, loops.result, results.data()};
    loops = combine_loops(rule, loops.result);
    parameters = nullptr;
    prepared = {};
  }
  type = left.dtype;
  return results;
}

template <class T>
void finish_all(T* results, std::int64_t count, Finish finish, double number) {
  if (finish == Finish::nothing) return;
  for (std::int64_t i = 0; i < count; ++i) results[i] = finished(results[i], finish, number);
}

void finish(const Tensor& result, Workspace<std::byte>&& results, DType type,
            const ReduceTask& reduction) {
  const std::int64_t count = result.numel();
  if (type == DType::fp64)
    finish_all(reinterpret_cast<double*>(results.data()), count, reduction.finish,
               reduction.number);
  else if (type == DType::fp32)
    finish_all(reinterpret_cast<float*>(results.data()), count, reduction.finish, reduction.number);
  const Tensor ordered = in_memory_order(result, reduction.order, reduction.is_reduced);
  convert_all(ordered.raw_data(), ordered.dtype(), results.data(), type, count);
  if (!ordered.shares_storage(result)) copy(result.view(ordered.shape()), ordered);
}

// The parameter of every result where there is one: the mean that squared deviations start from.
Workspace<std::byte> parameters_for(const Tensor& x, const ReduceTask& reduction,
                                    std::int64_t results) {
  if (reduction.rule != reduction_number<SquaredDeviations>) return Workspace<std::byte>(0);
  DType type{};
  Workspace<std::byte> means = reduce(x, reduction, reduction_number<WideSum>, nullptr, type);
  finish_all(reinterpret_cast<double*>(means.data()), results, Finish::divide,
             static_cast<double>(x.numel() / results));
  return means;
}

}  // namespace

void reduce(const Tensor& result, const Tensor& x, const ReduceTask& reduction) {
  const Workspace<std::byte> parameters = parameters_for(x, reduction, result.numel());
  DType type{};
  Workspace<std::byte> results = reduce(x, reduction, reduction.rule,
                                        reinterpret_cast<const double*>(parameters.data()), type);
  finish(result, std::move(results), type, reduction);
}

void place(const Tensor& result, const Tensor& x, const Dims& order, const Dims& is_reduced,
           bool largest) {
  const Remaining r(x.layout(), order, is_reduced);
  const ReduceLoops loops = place_loops(largest, compute_type(x.dtype()));
  const Workspace<std::byte> places = Pass(r, r.next(), operand_of(x), loops, nullptr).run();
  const auto* place = reinterpret_cast<const Place<double>*>(places.data());
  static_assert(sizeof(Place<float>) == sizeof(*place) &&
                sizeof(Place<std::int64_t>) == sizeof(*place));
  const Tensor ordered = in_memory_order(result, order, is_reduced);
  for (std::int64_t i = 0; i < result.numel(); ++i)
    ordered.data<std::int64_t>()[i] = place[i].index;
  if (!ordered.shares_storage(result)) copy(result.view(ordered.shape()), ordered);
}

}  // namespace napkin::cpu
