#include "demos/01_tensors/timing.h"

#include <algorithm>

#include "common/core/stopwatch.h"
#include "common/lecture/flag.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

Timing time_transpose(const Tensor& x, int repeats) {
  constexpr int views_a_run = 1000;  // a single one is shorter than a clock's tick
  return {x.size(0), x.bytes(), best_seconds(repeats, views_a_run, [&] { keep(x.t()); }),
          best_seconds(repeats, 1, [&] { keep(x.t().contiguous()); }),
          best_seconds(repeats, 1, [&] { keep(x.clone()); })};
}

}  // namespace

std::vector<Timing> time_transposes(std::int64_t largest, int repeats) {
  return lecture::with_flag("--side", fmt::format("{}", largest), [&] {
    check(largest >= 1, "the side of a matrix is at least 1");
    const Tensor whole = ones({largest, largest});  // the largest first: refused before any waiting
    std::vector<Timing> timings;
    for (std::int64_t side = 256; side < largest; side *= 2)
      timings.push_back(time_transpose(ones({side, side}), repeats));
    timings.push_back(time_transpose(whole, repeats));
    return timings;
  });
}

}  // namespace napkin
