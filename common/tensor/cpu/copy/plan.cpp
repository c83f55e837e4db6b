#include "common/tensor/cpu/copy/plan.h"

#include <algorithm>

namespace napkin::cpu {
namespace {

constexpr std::int64_t line = 64;

bool fills_lines(const CopyPlan& plan, const std::byte* to) {
  bool whole =
      reinterpret_cast<std::uintptr_t>(to) % line == 0 && plan.shape[0] * plan.size % line == 0;
  for (int d = 1; d < plan.shape.size(); ++d) whole &= plan.to_step[d] % line == 0;
  return whole;
}

// Moves dimension d to the place `at`, before those that stand there.
void move(CopyPlan& plan, int d, int at) {
  for (Dims* dims : {&plan.shape, &plan.to_step, &plan.from_step})
    std::rotate(dims->begin() + at, dims->begin() + d, dims->begin() + d + 1);
}

// Dimensions but the first by the source's steps. Read from its first byte to its last the source
// comes fastest; whole cache lines may be written in any order.
void sort_by_source(CopyPlan& plan) {
  for (int d = 2; d < plan.shape.size(); ++d) {
    int at = d;
    while (at > 1 && plan.from_step[at - 1] > plan.from_step[d]) --at;
    move(plan, d, at);
  }
}

// The dimension from `first` on along which the source's next elements stand.
int next_in_source(const CopyPlan& plan, int first) {
  int next = first;
  for (int d = first + 1; d < plan.shape.size(); ++d)
    if (plan.from_step[d] != 0 && plan.from_step[d] < plan.from_step[next]) next = d;
  return next;
}

// At most `most` of `all`, and that in parts of equal size if possible.
std::int64_t evenly(std::int64_t all, std::int64_t most) {
  if (all <= most) return all;
  const std::int64_t parts = (all + most - 1) / most;
  return (all + parts - 1) / parts;
}

// How far boxes reach along the dimensions that their loop leaves open, from `first` on: along the
// destination's; but where boxes would be short parts of the source's cache lines, along those too.
void reach_out(CopyPlan& plan, int first, std::int64_t elements) {
  constexpr std::int64_t short_part = 2 * line, long_row = 8 * line, long_part = 16 * line;
  std::int64_t* most = plan.most.data();
  std::int64_t left = std::max<std::int64_t>(1, elements / (most[0] * most[1]));
  const auto reach = [&](int d, std::int64_t count) {
    left *= most[d];
    most[d] = evenly(plan.shape[d], std::clamp<std::int64_t>(count, 1, left));
    left /= most[d];
  };
  const int next = next_in_source(plan, first);
  if (next > first && plan.from_step[next] < short_part) {
    move(plan, next, first + 1);
    reach(first, long_row / plan.to_step[first]);
    reach(first + 1, long_part / plan.from_step[first + 1]);
  }
  for (int d = first; d < CopyPlan::inner; ++d)
    if (left > 1) reach(d, left * most[d]);
}

void choose_box(CopyPlan& plan, const Walk& walk, const std::byte* to) {
  const std::int64_t columns = plan.shape[0], rows = plan.shape[1], size = plan.size;
  const std::int64_t row = columns * size, elements = CopyPlan::usual_bytes / size;
  const bool whole_lines = plan.streams && fills_lines(plan, to);
  if (plan.kind == CopyKind::runs) {
    plan.most = {std::min(columns, elements), 1, 1, 1};  // whole cache lines stay whole
    plan.directly = whole_lines;
    if (whole_lines) sort_by_source(plan);
    return reach_out(plan, 1, elements);
  }
  plan.most = {walk.columns, walk.rows, 1, 1};
  if (plan.kind == CopyKind::transposed) {
    const bool wide = rows > 4 && row >= (plan.streams && !whole_lines ? 1024 : line);
    plan.directly = plan.streams && wide;
    // Long along the source's rows, which the processor reads ahead, and two cache lines along the
    // destination's; longer where those are not aligned.
    if (wide && plan.streams && !whole_lines)
      plan.most = {4096 / size, staged_columns, 1, 1};
    else if (wide)
      plan.most = {2 * line / size, (plan.streams ? 16384 : 2048) / size, 1, 1};
    else if (columns <= 4)
      plan.most[1] = evenly(rows, elements / columns);
    else if (rows <= 4)
      plan.most[0] = evenly(columns, elements / rows);
    plan.most[0] = std::min(plan.most[0], columns);
    plan.most[1] = std::min(plan.most[1], rows);
  }
  reach_out(plan, 2, elements);
}

}  // namespace

void enlarge_elements(StridedCopy& c) {
  const std::int64_t group = c.walk.shape[0], size = group * c.size;
  const auto is_whole = [&](std::int64_t bytes) { return bytes % size == 0; };
  if (c.walk.strides[0][0] != 1 || c.walk.strides[1][0] != 1 || size > 8 ||
      (size != 2 && size != 4 && size != 8) || !is_whole(reinterpret_cast<std::intptr_t>(c.to)) ||
      !is_whole(reinterpret_cast<std::intptr_t>(c.from)))
    return;
  Layout to, from;
  for (int d = c.walk.shape.size() - 1; d > 0; --d) {
    if (!is_whole(c.walk.strides[0][d] * c.size) || !is_whole(c.walk.strides[1][d] * c.size))
      return;
    to.shape.push_back(c.walk.shape[d]);
    to.strides.push_back(c.walk.strides[0][d] / group);
    from.strides.push_back(c.walk.strides[1][d] / group);
  }
  from.shape = to.shape;
  const Layout* layouts[] = {&to, &from};
  c.walk = plan_walk(layouts);
  c.size = size;
}

CopyPlan plan_copy(const StridedCopy& c, bool streams) {
  CopyPlan plan;
  plan.size = c.size;
  plan.shape = c.walk.shape;
  for (int d = 0; d < plan.shape.size(); ++d) {
    plan.to_step.push_back(c.walk.strides[0][d] * c.size);
    plan.from_step.push_back(c.walk.strides[1][d] * c.size);
  }
  while (plan.shape.size() < CopyPlan::inner) {
    plan.shape.push_back(1);
    plan.to_step.push_back(0);
    plan.from_step.push_back(0);
  }
  CopyBox first{c.to, c.from, c.size, {}, {}, {}};
  std::copy_n(plan.shape.begin(), 2, first.count);
  std::copy_n(plan.to_step.begin(), 2, first.to_step);
  std::copy_n(plan.from_step.begin(), 2, first.from_step);
  plan.kind = kind_of(first);
  plan.streams = streams;
  plan.directly = false;
  choose_box(plan, c.walk, c.to);
  for (int d = 0; d < plan.shape.size(); ++d) plan.order.push_back(d);
  if (streams && (plan.kind != CopyKind::transposed || !plan.directly))
    std::sort(plan.order.begin(), plan.order.end(), [&](std::int64_t a, std::int64_t b) {
      return plan.from_step[static_cast<int>(a)] < plan.from_step[static_cast<int>(b)];
    });
  return plan;
}

std::int64_t CopyPlan::boxes() const {
  std::int64_t count = 1;
  for (int d = 0; d < shape.size(); ++d) {
    const std::int64_t step = d < inner ? most[static_cast<std::size_t>(d)] : 1;
    count *= (shape[d] + step - 1) / step;
  }
  return count;
}

CopyBox CopyPlan::box_at(std::int64_t number, std::byte* to, const std::byte* from) const {
  CopyBox box{to, from, size, {}, {}, {}};
  for (const std::int64_t dimension : order) {
    const int d = static_cast<int>(dimension);
    const std::int64_t step = d < inner ? most[static_cast<std::size_t>(d)] : 1;
    const std::int64_t parts = shape[d] <= step ? 1 : (shape[d] + step - 1) / step;
    const std::int64_t first = parts == 1 ? 0 : number % parts * step;
    if (parts > 1) number /= parts;
    box.to += first * to_step[d];
    box.from += first * from_step[d];
    if (d >= inner) continue;
    box.count[d] = std::min(step, shape[d] - first);
    box.to_step[d] = to_step[d];
    box.from_step[d] = from_step[d];
  }
  return box;
}

}  // namespace napkin::cpu
