// Picking and adding by position on the GPU, against the CPU.
#include <gtest/gtest.h>

#include <array>

#include "common/gpu/runtime.h"
#include "common/gpu/stream.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/join.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;

class GpuIndex : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

Tensor there(const Tensor& x) { return x.to(Device::cuda); }
Tensor back(const Tensor& x) { return x.to(Device::cpu); }

TEST_F(GpuIndex, RecordedCasesAreRight) {
  int checked = 0;
  for (const Case& c : recorded::cases("indexing")) {
    if (c.refused || c.operation.back() == '_') continue;
    SCOPED_TRACE(c.text);
    ++checked;
    const Tensor x = there(c.tensor(0)), index = there(c.tensor(2));
    const int dim = c.integer(1);
    Tensor got;
    if (c.operation == "index_select") got = index_select(x, dim, index);
    if (c.operation == "gather") got = gather(x, dim, index);
    if (c.operation == "index_add") got = index_add(x, dim, index, there(c.tensor(3)));
    if (c.operation == "scatter_add") got = scatter_add(x, dim, index, there(c.tensor(3)));
    EXPECT_EQ(got.device(), Device::cuda);
    EXPECT_EQ(difference(back(got), c.results[0].elements.view(c.results[0].shape)), "");
  }
  EXPECT_GT(checked, 500);
}

// Few rows and terms are scanned, many are sorted; views are read where they stand.
TEST_F(GpuIndex, AdditionsHaveTheCpusBits) {
  Generator g(3);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp64, DType::int32, DType::uint8})
    for (const auto& [rows, columns, terms] : {std::array<std::int64_t, 3>{256, 64, 16384},
                                               {7, 3, 5000},
                                               {5000, 20, 20000},
                                               {1, 8, 30000},
                                               {50257, 16, 4000},
                                               {256, 64, 100'000}}) {
      SCOPED_TRACE(fmt::format("{} {} {} {}", name(dtype), rows, columns, terms));
      const Tensor x = randn({rows, columns}, {}, g).mul_(Scalar(9)).to(dtype);
      const Tensor source = randn({terms, columns}, {}, g).mul_(Scalar(9)).to(dtype);
      const Tensor list = (rand({terms}, {}, g) * static_cast<double>(rows)).to(DType::int64);
      const Tensor want = index_add(x, 0, list, source);
      const Tensor xs = there(x), sources = there(source), lists = there(list);
      for (int repeat = 0; repeat < 3; ++repeat)
        EXPECT_EQ(difference(back(index_add(xs, 0, lists, sources)), want), "");
      EXPECT_EQ(difference(back(index_add(xs.t(), 1, lists, sources.t())).t(), want), "");
      if (columns > 20) continue;
      const Tensor each = lists.unsqueeze(1).expand({terms, columns}).contiguous();
      EXPECT_EQ(difference(back(scatter_add(xs, 0, each, sources)), want), "");
      Tensor wide = zeros({rows, 2, columns}, {.dtype = dtype, .device = Device::cuda});
      Tensor part = wide.select(1, 1);
      part.copy_(xs);
      index_add_(part, 0, lists, sources);
      EXPECT_EQ(difference(back(part), want), "");
      EXPECT_TRUE(equal(back(wide.select(1, 0)), zeros({rows, columns}, {.dtype = dtype})));
    }
}

TEST_F(GpuIndex, RowsAreTheCpusAtEveryAlignment) {
  const Tensor strip = arange(60000).to(DType::fp32);
  Generator g(4);
  const Tensor list = (rand({500}, {}, g) * 50.0).to(DType::int32);
  for (const DType dtype : all_dtypes)
    for (const std::int64_t columns : {1, 3, 4, 8, 21, 64, 1000})
      for (const std::int64_t offset : {0, 1, 2, 4}) {
        const Tensor x = strip.to(dtype).as_strided({50, columns}, {columns + offset, 1}, offset);
        const Tensor got = index_select(there(x), 0, there(list));
        EXPECT_EQ(difference(back(got), index_select(x, 0, list)), "") << name(dtype) << columns;
        const Tensor across = index_select(there(x).t(), 1, there(list));
        EXPECT_EQ(difference(back(across).t(), index_select(x, 0, list)), "");
      }
}

TEST_F(GpuIndex, RacyAdditionsLoseNothing) {
  for (const DType dtype : all_dtypes) {
    if (!is_defined(Op::index_add, dtype, Device::cuda)) continue;
    const Tensor terms = ones({4000, 30}, {.dtype = dtype});
    const Tensor list = (arange(4000).to(DType::fp64) * (1 / 40.0)).to(DType::int32);
    const Tensor none = zeros({100, 30}, {.dtype = dtype});
    const Tensor got = index_add(there(none), 0, there(list), there(terms), Order::racy);
    EXPECT_EQ(difference(back(got), index_add(none, 0, list, terms)), "") << name(dtype);
  }
}

TEST_F(GpuIndex, BadIndicesAreThrownByTheNextWait) {
  const Tensor x = there(arange(12).to(DType::fp32).view({3, 4}));
  const Tensor bad = there(from_data<std::int64_t>({0, 7, 2}));
  const Tensor good = there(from_data<std::int64_t>({0, 1, 2}));
  const auto all = [&](const Tensor& list) {
    const Tensor each = list.unsqueeze(1).expand({3, 4}).contiguous();
    return std::array{index_select(x, 0, list), gather(x, 0, each), index_add(x, 0, list, x),
                      scatter_add(x, 0, each, x), index_add(x, 0, list, x, Order::racy)};
  };
  for (std::size_t n = 0; n < 5; ++n) {
    expect_refused(
        [&] {
          const Tensor result = all(bad)[n];
          gpu::synchronize();
        },
        {"index 7", "[0, 2]"});
    EXPECT_NO_THROW(gpu::synchronize());
  }
  all(good);
  EXPECT_NO_THROW(gpu::synchronize());
}

TEST_F(GpuIndex, JoinedTensorsAreTheCpus) {
  const Tensor a = arange(6).to(DType::fp32).view({2, 3}), b = arange(12).view({3, 4}).t();
  EXPECT_EQ(difference(back(cat({there(a), there(b)}, 0)), cat({a, b}, 0)), "");
  EXPECT_EQ(difference(back(stack({there(a), there(a)}, 2)), stack({a, a}, 2)), "");
}

}  // namespace
}  // namespace napkin
