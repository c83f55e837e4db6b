// Whether two indices of a layout stand for one place in the storage.
//
// Indices i and j share a place when their differences e = i - j satisfy
//   e[0]*strides[0] + e[1]*strides[1] + ... = 0   with   |e[d]| <= shape[d] - 1, not all of them 0.
// Most layouts need no search: sorted by stride, each step leaps over all that the smaller steps
// can reach together.
#include "common/tensor/overlap.h"

#include <algorithm>
#include <cstdlib>

namespace napkin {
namespace {

struct Axis {
  std::int64_t stride, last;  // last: the highest index
  std::int64_t reach;         // the farthest that this axis and those of smaller stride get
};

class DifferenceSearch {
 public:
  explicit DifferenceSearch(const Layout& layout) {
    for (int d = 0; d < layout.rank(); ++d)
      if (layout.shape[d] > 1) axes_[count_++] = {layout.strides[d], layout.shape[d] - 1, 0};
    std::sort(axes_, axes_ + count_,
              [](const Axis& a, const Axis& b) { return a.stride < b.stride; });
    std::int64_t reach = 0;
    for (int a = 0; a < count_; ++a) axes_[a].reach = reach += axes_[a].last * axes_[a].stride;
  }

  // Among differences that make 0 there is a last axis where they are not 0; its difference may be
  // taken as positive, since all signs can be turned around. The axes before it undo its step.
  bool any() {
    if (count_ > 0 && axes_[0].stride == 0) return true;
    for (int a = 1; a < count_; ++a)
      for (std::int64_t e = 1; e <= axes_[a].last && e * axes_[a].stride <= axes_[a - 1].reach; ++e)
        if (reaches(a - 1, e * axes_[a].stride)) return true;
    return false;
  }

 private:
  // Whether the axes 0 to a can make the sum (>= 0).
  bool reaches(int a, std::int64_t sum) {
    const auto [stride, last, reach] = axes_[a];
    if (sum > reach) return false;
    if (sum == 0 || --steps_left_ < 0) return true;
    if (a == 0) return sum % stride == 0;
    // e steps may miss the sum by no more than the axes below can reach.
    const std::int64_t below = axes_[a - 1].reach;
    const std::int64_t first =
        sum > below ? (sum - below - 1) / stride + 1 : -((below - sum) / stride);
    for (std::int64_t e = std::max(first, -last); e <= last && e * stride - sum <= below; ++e)
      if (reaches(a - 1, std::abs(e * stride - sum))) return true;
    return false;
  }

  Axis axes_[max_rank];
  int count_ = 0;
  int steps_left_ = 10'000;  // under a millisecond; then the answer is yes
};

}  // namespace

bool may_overlap(const Layout& layout) {
  if (is_contiguous(layout)) return false;  // also where there are no elements
  return DifferenceSearch(layout).any();
}

}  // namespace napkin
