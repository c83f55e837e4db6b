#include "common/tensor/cpu/copy/slabs.h"

#include <algorithm>

#include "common/core/parallel.h"
#include "common/tensor/cpu/copy/slab_plan.h"

namespace napkin::cpu {
namespace {

constexpr int inner = SlabPlan::inner;

// The slabs of a copy, one after the other.
class Slabs {
 public:
  Slabs(const SlabPlan& plan, const StridedCopy& copy, std::int64_t number) : plan_(plan) {
    slab_ = {copy.to, copy.from, copy.size, {}, {}, {}};
    for (const std::int64_t dimension : plan.order) {
      const int d = static_cast<int>(dimension);
      const std::int64_t count = pieces(plan, d);
      set(d, number == 0 ? 0 : number % count * step(plan, d));
      number = number == 0 ? 0 : number / count;
    }
    std::copy_n(plan.to_step.begin(), inner, slab_.to_step);
    std::copy_n(plan.from_step.begin(), inner, slab_.from_step);
  }

  const Slab& slab() const { return slab_; }

  void next() {
    for (const std::int64_t dimension : plan_.order) {
      const int d = static_cast<int>(dimension);
      const std::int64_t following = at_[d] + step(plan_, d);
      if (following < plan_.shape[d]) return set(d, following);
      set(d, 0);
    }
  }

  static std::int64_t count(const SlabPlan& plan) {
    std::int64_t count = 1;
    for (int d = 0; d < plan.shape.size(); ++d) count *= pieces(plan, d);
    return count;
  }

 private:
  static std::int64_t step(const SlabPlan& plan, int d) {
    return d < inner ? plan.most[static_cast<std::size_t>(d)] : 1;
  }
  static std::int64_t pieces(const SlabPlan& plan, int d) {
    const std::int64_t size = plan.shape[d], most = step(plan, d);
    return size <= most ? 1 : (size + most - 1) / most;
  }

  void set(int d, std::int64_t first) {
    slab_.to += (first - at_[d]) * plan_.to_step[d];
    slab_.from += (first - at_[d]) * plan_.from_step[d];
    at_[d] = first;
    if (d < inner) slab_.count[d] = std::min(step(plan_, d), plan_.shape[d] - first);
  }

  const SlabPlan& plan_;
  Slab slab_;
  Dims at_ = Dims(plan_.shape.size(), 0);  // the slab's first index in every dimension
};

// Leading dimensions of a slab that are one unbroken array in the destination, and its bytes.
struct Unbroken {
  int dimensions;
  std::int64_t bytes;
};
Unbroken unbroken(const Slab& slab) {
  Unbroken u{0, slab.size};
  while (u.dimensions < inner &&
         (slab.count[u.dimensions] == 1 || slab.to_step[u.dimensions] == u.bytes))
    u.bytes *= slab.count[u.dimensions++];
  return u;
}

struct alignas(64) Stage {
  std::byte bytes[SlabPlan::largest_slab];
};

// Lines of memory had better be streamed whole: a slab is put together in the stage and streamed
// from there, unless it is a short piece of lines.
void copy_staged(SlabKind kind, const Slab& slab, Stage& stage) {
  constexpr std::int64_t line = 64;
  const Unbroken part = unbroken(slab);
  const bool whole =
      part.bytes % line == 0 && reinterpret_cast<std::uintptr_t>(slab.to) % line == 0;
  if (!whole && part.bytes < 4 * line) return copy_slab(kind, slab);
  Slab in_stage = slab, parts = slab;
  in_stage.to = stage.bytes;
  std::int64_t bytes = slab.size;
  for (int d = 0; d < inner; ++d) {
    in_stage.to_step[d] = bytes;
    bytes *= slab.count[d];
    if (d < part.dimensions) parts.count[d] = 1;
  }
  copy_slab(kind, in_stage);
  const std::byte* from = stage.bytes;
  for (std::int64_t l = 0; l < parts.count[3]; ++l)
    for (std::int64_t k = 0; k < parts.count[2]; ++k)
      for (std::int64_t r = 0; r < parts.count[1]; ++r, from += part.bytes)
        stream(slab.to + l * slab.to_step[3] + k * slab.to_step[2] + r * slab.to_step[1], from,
               part.bytes);
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

void copy_in_slabs(const StridedCopy& copy, bool streams) {
  const SlabPlan plan = plan_slabs(copy, streams);
  constexpr std::int64_t per_thread = 32 * Walk::box_elements;
  const std::int64_t grain = std::max<std::int64_t>(
      1, per_thread / (plan.most[0] * plan.most[1] * plan.most[2] * plan.most[3]));
  parallel_for(Slabs::count(plan), grain, [&](std::int64_t first, std::int64_t last) {
    Slabs slabs(plan, copy, first);
    Stage stage;
    for (std::int64_t n = first; n < last; ++n, slabs.next())
      if (streams && plan.kind != SlabKind::lines)
        copy_staged(plan.kind, slabs.slab(), stage);
      else
        copy_slab(plan.kind, slabs.slab());
    if (streams) stream_fence();
  });
}

}  // namespace napkin::cpu
