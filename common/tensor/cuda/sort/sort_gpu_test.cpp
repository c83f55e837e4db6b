// Sorting on the GPU, against the CPU.
#include <gtest/gtest.h>

#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/sort.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;

class GpuSort : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

std::string difference_of(const Sorted& got, const Tensor& values, const Tensor& indices) {
  const std::string d = difference(got.values.to(Device::cpu), values);
  return d.empty() ? difference(got.indices.to(Device::cpu), indices) : "values: " + d;
}

TEST_F(GpuSort, RecordedCasesAreRight) {
  int checked = 0;
  for (const Case& c : recorded::cases("ordering", {"sort", "topk"})) {
    if (c.refused) continue;
    SCOPED_TRACE(c.text);
    ++checked;
    const Tensor x = c.tensor(0).to(Device::cuda);
    const Sorted got = c.operation == "sort"
                           ? sort(x, c.integer(1), c.number(2).to_bool())
                           : topk(x, c.integer(1), c.integer(2), c.number(3).to_bool());
    EXPECT_EQ(difference_of(got, c.results[0].elements.view(c.results[0].shape),
                            c.results[1].elements.view(c.results[1].shape)),
              "");
  }
  EXPECT_GT(checked, 500);
}

TEST_F(GpuSort, LongAndManyLinesAreTheCpus) {
  Generator g(5);
  const Tensor draws = randn({300'000}, {}, g) * 20.0;
  for (const DType dtype : all_dtypes)
    for (const Shape& shape : {Shape{300'000}, Shape{3, 100'000}, Shape{10'000, 30}})
      for (const bool descending : {false, true}) {
        if (!is_defined(Op::sort, dtype, Device::cuda)) continue;
        SCOPED_TRACE(fmt::format("{} {}", name(dtype), shape));
        const Tensor x = draws.to(dtype).view(shape), there = x.to(Device::cuda);
        const Sorted want = sort(x, 0, descending);
        EXPECT_EQ(difference_of(sort(there, 0, descending), want.values, want.indices), "");
        if (dtype == DType::boolean) continue;
        const Sorted top = topk(x, 3, -1, descending);
        EXPECT_EQ(difference_of(topk(there, 3, -1, descending), top.values, top.indices), "");
      }
}

}  // namespace
}  // namespace napkin
