// The kernels of sorting on the host, against the CPU's sort and topk.
#include <gtest/gtest.h>

#include "common/tensor/create.h"
#include "common/tensor/cuda/sort/host_sort_engine.h"
#include "common/tensor/cuda/sort/sort_plan.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::cuda {
namespace {

using recorded::Case;
using recorded::difference;

Tensor with_dimension(const Tensor& x) { return x.rank() == 0 ? x.unsqueeze(0) : x; }

TEST(CudaSort, RecordedCasesAreRight) {
  int launches = 0, checked = 0;
  for (const Case& c : recorded::cases("ordering", {"sort", "topk"})) {
    if (c.refused || c.results[0].elements.numel() == 0) continue;
    SCOPED_TRACE(c.text);
    ++checked;
    const bool all = c.operation == "sort";
    const Tensor x = with_dimension(c.tensor(0));
    const int dim = wrap_dimension(c.integer(all ? 1 : 2), x.rank());
    const auto result = [&](std::size_t k) {
      const recorded::Result& r = c.results[k];
      return empty_strided(r.shape, r.strides, {.dtype = r.elements.dtype()});
    };
    const Sorted got{result(0), result(1)};
    sort_with(HostSortEngine{{&launches}},
              {with_dimension(got.values), with_dimension(got.indices)}, x, dim,
              c.number(all ? 2 : 3).to_bool());
    EXPECT_EQ(difference(got.values, c.results[0].elements.view(c.results[0].shape)), "");
    EXPECT_EQ(difference(got.indices, c.results[1].elements.view(c.results[1].shape)), "");
  }
  EXPECT_GT(checked, 500);
  EXPECT_GE(launches, 2 * checked);
}

}  // namespace
}  // namespace napkin::cuda
