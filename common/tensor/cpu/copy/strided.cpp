#include "common/tensor/cpu/copy/strided.h"

#include <algorithm>

#include "common/core/parallel.h"
#include "common/tensor/cpu/stream.h"

namespace napkin::cpu {
namespace {

constexpr int inner = CopyPlan::inner;
constexpr std::int64_t line = 64;

struct alignas(64) Stage {
  std::byte bytes[CopyPlan::usual_bytes];
};

// Lines of memory had better be streamed whole: a box is put together in the stage and streamed
// from there, unless it is a short part of cache lines.
void copy_staged(CopyKind kind, const CopyBox& box, std::byte* stage) {
  // Leading dimensions that are one run in the destination, and its bytes.
  int dimensions = 0;
  std::int64_t run = box.size;
  while (dimensions < inner && (box.count[dimensions] == 1 || box.to_step[dimensions] == run))
    run *= box.count[dimensions++];
  const bool whole = run % line == 0 && reinterpret_cast<std::uintptr_t>(box.to) % line == 0;
  if (!whole && run < 4 * line) return copy_box(kind, box);
  CopyBox in_stage = box, out = box;
  in_stage.to = stage;
  out.from = stage;
  std::int64_t step = box.size;
  for (int d = 0; d < inner; ++d) {
    in_stage.to_step[d] = out.from_step[d] = step;
    step *= box.count[d];
    if (d < dimensions) out.count[d] = 1;
  }
  copy_box(kind, in_stage);
  stream_runs(out, run);
}

void copy_box_of(const CopyPlan& plan, const CopyBox& box, Stage& stage) {
  if (!plan.streams)
    copy_box(plan.kind, box);
  else if (!plan.directly)
    copy_staged(plan.kind, box, stage.bytes);
  else if (plan.kind == CopyKind::runs)
    stream_runs(box, box.count[0] * box.size);
  else
    copy_transposed(box, true);
}

}  // namespace

void copy_strided(const StridedCopy& copy, bool streams) {
  const CopyPlan plan = plan_copy(copy, streams);
  constexpr std::int64_t per_thread = 32 * Walk::box_elements;
  const std::int64_t largest = plan.most[0] * plan.most[1] * plan.most[2] * plan.most[3];
  const std::int64_t grain = std::max<std::int64_t>(1, per_thread / largest);
  parallel_for(plan.boxes(), grain, [&](std::int64_t first, std::int64_t last) {
    Stage stage;
    for (std::int64_t n = first; n < last; ++n)
      copy_box_of(plan, plan.box_at(n, copy.to, copy.from), stage);
    if (streams) stream_fence();
  });
}

}  // namespace napkin::cpu
