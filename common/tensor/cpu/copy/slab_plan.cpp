#include "common/tensor/cpu/copy/slab_plan.h"

#include <algorithm>

namespace napkin::cpu {
namespace {

constexpr std::int64_t line = 64;

SlabKind kind_of(const StridedCopy& c, bool streams) {
  const Shape& shape = c.walk.shape;
  const Strides &to = c.walk.strides[0], &from = c.walk.strides[1];
  const auto is_few = [](std::int64_t n) { return n >= 2 && n <= 4; };
  if (to[0] != 1) return SlabKind::elements;
  if (from[0] == 1) return streams && fills_lines(c) ? SlabKind::lines : SlabKind::runs;
  if (from[1] != 1) return SlabKind::elements;
  if (is_few(shape[0]) && to[1] == shape[0]) return SlabKind::interleaved;
  if (is_few(shape[1]) && from[0] == shape[1]) return SlabKind::deinterleaved;
  return SlabKind::transposed;
}

// Moves dimension d to the place `at`, before those that stand there.
void move(SlabPlan& plan, int d, int at) {
  for (Dims* dims : {&plan.shape, &plan.to_step, &plan.from_step})
    std::rotate(dims->begin() + at, dims->begin() + d, dims->begin() + d + 1);
}

// Dimensions but the first by the source's steps. Read from its first byte to its last the source
// comes fastest; lines that are streamed may be written in any order.
void sort_by_source(SlabPlan& plan) {
  for (int d = 2; d < plan.shape.size(); ++d) {
    int at = d;
    while (at > 1 && plan.from_step[at - 1] > plan.from_step[d]) --at;
    move(plan, d, at);
  }
}

// The dimension from `first` on along which the source's next elements stand.
int next_in_source(const SlabPlan& plan, int first) {
  int next = first;
  for (int d = first + 1; d < plan.shape.size(); ++d)
    if (plan.from_step[d] != 0 && plan.from_step[d] < plan.from_step[next]) next = d;
  return next;
}

// At most `most` of `all`, and that in pieces of equal size if possible.
std::int64_t evenly(std::int64_t all, std::int64_t most) {
  if (all <= most) return all;
  const std::int64_t pieces = (all + most - 1) / most;
  return (all + pieces - 1) / pieces;
}

// How far slabs reach along the dimensions that their loop leaves open, from `first` on: along the
// destination's; but where slabs would be short pieces of the source's lines, along those too.
void reach_out(SlabPlan& plan, int first, std::int64_t elements) {
  constexpr std::int64_t short_piece = 2 * line, long_row = 8 * line, long_piece = 16 * line;
  std::int64_t* most = plan.most.data();
  std::int64_t left = std::max<std::int64_t>(1, elements / (most[0] * most[1]));
  const auto reach = [&](int d, std::int64_t count) {
    left *= most[d];
    most[d] = evenly(plan.shape[d], std::clamp<std::int64_t>(count, 1, left));
    left /= most[d];
  };
  const int next = next_in_source(plan, first);
  if (next > first && plan.from_step[next] < short_piece) {
    move(plan, next, first + 1);
    reach(first, long_row / plan.to_step[first]);
    reach(first + 1, long_piece / plan.from_step[first + 1]);
  }
  for (int d = first; d < SlabPlan::inner; ++d)
    if (left > 1) reach(d, left * most[d]);
}

void choose_slab(SlabPlan& plan, const Walk& walk, std::int64_t size, bool streams) {
  const std::int64_t columns = plan.shape[0], rows = plan.shape[1];
  const bool is_runs = plan.kind == SlabKind::runs || plan.kind == SlabKind::lines;
  // While a slab is streamed nothing is read: better often and briefly, where nothing is to gather.
  const std::int64_t bytes = streams && !is_runs && columns * rows * size >= SlabPlan::brief_slab
                                 ? SlabPlan::brief_slab
                                 : SlabPlan::largest_slab;
  const std::int64_t elements = bytes / size;
  plan.most = {walk.columns, walk.rows, 1, 1};
  if (plan.kind == SlabKind::interleaved) plan.most[1] = evenly(rows, elements / columns);
  if (plan.kind == SlabKind::deinterleaved) plan.most[0] = evenly(columns, elements / rows);
  if (is_runs) plan.most = {std::min(columns, elements), 1, 1, 1};  // whole lines stay whole
  reach_out(plan, is_runs ? 1 : 2, elements);
}

}  // namespace

bool fills_lines(const StridedCopy& c) {
  const Walk& walk = c.walk;
  bool whole =
      reinterpret_cast<std::uintptr_t>(c.to) % line == 0 && walk.shape[0] * c.size % line == 0;
  for (int d = 1; d < walk.shape.size(); ++d) whole &= walk.strides[0][d] * c.size % line == 0;
  return whole;
}

SlabPlan plan_slabs(const StridedCopy& c, bool streams) {
  SlabPlan plan;
  plan.kind = kind_of(c, streams);
  plan.shape = c.walk.shape;
  for (int d = 0; d < plan.shape.size(); ++d) {
    plan.to_step.push_back(c.walk.strides[0][d] * c.size);
    plan.from_step.push_back(c.walk.strides[1][d] * c.size);
  }
  while (plan.shape.size() < SlabPlan::inner) {
    plan.shape.push_back(1);
    plan.to_step.push_back(0);
    plan.from_step.push_back(0);
  }
  if (plan.kind == SlabKind::lines) sort_by_source(plan);
  choose_slab(plan, c.walk, c.size, streams);
  for (int d = 0; d < plan.shape.size(); ++d) plan.order.push_back(d);
  if (streams)
    std::sort(plan.order.begin(), plan.order.end(), [&](std::int64_t a, std::int64_t b) {
      return plan.from_step[static_cast<int>(a)] < plan.from_step[static_cast<int>(b)];
    });
  return plan;
}

}  // namespace napkin::cpu
