// The kernels of picking and adding by position on the host, against the CPU's operations.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "common/tensor/create.h"
#include "common/tensor/cuda/index/index_plan.h"
#include "common/tensor/cuda/sort/host_sort_engine.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::cuda {
namespace {

using recorded::Case;
using recorded::difference;

int launches = 0;
const HostSortEngine engine{{&launches}};

// Sorted and scanned.
constexpr std::int64_t both_ways[] = {0, quickly_scanned};

// Every recorded case that PyTorch does not refuse, on the tensors of the case, whatever their
// layout: operations/index.cpp prepares the operands, this takes the place of its CPU call.
struct Operands {
  Tensor x, index, source;
  int dim;
};

Tensor with_dimension(const Tensor& x) { return x.rank() == 0 ? x.unsqueeze(0) : x; }

Tensor beside(Tensor x, int dim, const Shape& shape) {
  for (int d = 0; d < x.rank(); ++d)
    if (d != dim) x = x.slice(d, 0, shape[d]);
  return x;
}

Operands operands_of(const Case& c) {
  const bool slices = c.operation.starts_with("index_");
  Operands o{with_dimension(c.tensor(0)), with_dimension(c.tensor(2)), {}, 0};
  o.dim = wrap_dimension(c.integer(1), c.tensor(0).rank());
  Shape shape = slices ? o.x.shape() : o.index.shape();
  if (slices) {
    shape[o.dim] = o.index.numel();
    for (int d = 0; d < o.x.rank(); ++d)
      if (d != o.dim) o.index = o.index.unsqueeze(d);
    o.index = o.index.expand(shape);
  }
  if (c.arguments.size() > 3) {
    o.source = with_dimension(c.tensor(3));
    for (int d = 0; d < shape.size(); ++d) o.source = o.source.slice(d, 0, shape[d]);
  }
  return o;
}

TEST(CudaIndex, RecordedCasesAreRight) {
  int checked = 0;
  for (const Case& c : recorded::cases("indexing")) {
    if (c.refused || c.operation.back() == '_') continue;
    const Operands o = operands_of(c);
    if (o.index.numel() == 0 || o.x.numel() == 0) continue;
    SCOPED_TRACE(c.text);
    ++checked;
    gpu::FaultRecord record;
    const Shape shape = c.results[0].shape;
    Tensor got = empty(shape, {.dtype = o.x.dtype()});
    if (o.source.defined()) {
      for (const std::int64_t few : both_ways) {
        got.copy_(c.tensor(0));
        scatter_add_with(engine, beside(with_dimension(got), o.dim, o.index.shape()), o.dim,
                         o.index, o.source, Order::fixed, {&record, ""}, few);
        EXPECT_EQ(difference(got, c.results[0].elements.view(shape)), "");
      }
    } else {
      gather_with(engine, with_dimension(got), beside(o.x, o.dim, o.index.shape()), o.dim, o.index,
                  {&record, ""});
    }
    EXPECT_EQ(difference(got, c.results[0].elements.view(shape)), "");
    EXPECT_EQ(record.found, 0);
  }
  EXPECT_GT(checked, 500);
  EXPECT_GT(launches, 1000);
}

// Rows that are picked 16, 8, 4, 2 bytes at a time, and those of odd places.
TEST(CudaIndex, RowsAreTheCpusAtEveryAlignment) {
  const Tensor strip = arange(6000).to(DType::uint8);
  const Tensor list = from_data<std::int64_t>({3, 0, 3, 1, 4, 2});
  gpu::FaultRecord record;
  for (const DType dtype : {DType::uint8, DType::bf16, DType::fp32, DType::fp64})
    for (const std::int64_t columns : {1, 2, 3, 4, 8, 16, 21, 64})
      for (const std::int64_t offset : {0, 1, 2, 4, 8}) {
        const Tensor all = strip.to(dtype);
        const Tensor x =
            all.as_strided({5, columns}, {columns + offset, 1}, offset > 4 ? 0 : offset);
        const Tensor got = all.clone(), want = all.clone();
        const auto place = [&](const Tensor& t) {
          return t.as_strided({6, columns}, {columns + 2 * offset, 1}, offset);
        };
        place(want).copy_(index_select(x, 0, list));
        gather_with(engine, place(got), x, 0, list.unsqueeze(1).expand({6, columns}),
                    {&record, ""});
        ASSERT_EQ(difference(got, want), "") << name(dtype) << " " << columns << " " << offset;
      }
}

TEST(CudaIndex, AdditionsHaveTheCpusOrder) {
  Generator g(3);
  for (const DType dtype : all_dtypes)
    for (const auto& [rows, columns, terms] : {std::array<std::int64_t, 3>{3, 8, 2500},
                                               {5, 3, 2100},
                                               {40, 20, 1300},
                                               {1, 1, 3000},
                                               {3000, 8, 2500}}) {
      if (!is_defined(Op::index_add, dtype, Device::cpu)) continue;
      const Tensor x = randn({rows, columns}, {}, g).mul_(Scalar(9)).to(dtype);
      const Tensor source = randn({terms, columns}, {}, g).mul_(Scalar(9)).to(dtype);
      const Tensor list = (rand({terms}, {}, g) * static_cast<double>(rows)).to(DType::int64);
      const Tensor index = list.unsqueeze(1).expand({terms, columns});
      const Tensor want = index_add(x, 0, list, source);
      gpu::FaultRecord record;
      for (const Tensor& i : {index, index.contiguous(), index.to(DType::int32)})
        for (const Tensor& s : {source, source.t().contiguous().t()})
          for (const std::int64_t few : both_ways) {
            const Tensor got = x.clone();
            scatter_add_with(engine, got, 0, i, s, Order::fixed, {&record, ""}, few);
            ASSERT_EQ(difference(got, want), "") << name(dtype) << " " << rows << " " << few;
          }
    }
}

TEST(CudaIndex, NegativeZerosStayWhereNothingComes) {
  const Tensor x = full({3, 4}, -0.0), source = full({1500, 4}, -0.0);
  Tensor list = zeros({1500}, {.dtype = DType::int64});
  list.slice(0, 1024).fill_(1);  // row 0 in the first run only, row 1 in the second
  const Tensor want = index_add(x, 0, list, source);
  EXPECT_EQ(want.select(1, 0).to_vector<float>(), (std::vector<float>{-0.0F, 0.0F, -0.0F}));
  EXPECT_TRUE(std::signbit(want.at({0, 0}).to_double()));
  EXPECT_FALSE(std::signbit(want.at({1, 0}).to_double()));
  EXPECT_TRUE(std::signbit(want.at({2, 0}).to_double()));
  gpu::FaultRecord record;
  const Tensor index = list.unsqueeze(1).expand({1500, 4});
  for (const std::int64_t few : both_ways)
    for (const Tensor& i : {index, index.contiguous()}) {
      const Tensor got = x.clone();
      scatter_add_with(engine, got, 0, i, source, Order::fixed, {&record, ""}, few);
      EXPECT_EQ(difference(got, want), "") << few;
    }
}

// 16 bytes are moved at a time only where every place is a multiple of them.
TEST(CudaIndex, WideAccessesAreAligned) {
  const auto picked = [](DType dtype, const Strides& strides, std::int64_t offset) {
    const Tensor x = zeros({4000}, {.dtype = dtype}).as_strided({5, 16}, strides, offset);
    const Tensor result = empty({3, 16}, {.dtype = dtype});
    const Tensor index = zeros({3}, {.dtype = DType::int64}).unsqueeze(1).expand({3, 16});
    const Layout from = without_steps(x, 0, index.shape());
    const Layout* layouts[] = {&result.layout(), &from, &index.layout()};
    return elements_picked_as_one(plan_walk(layouts), result, x, x.stride(0));
  };
  EXPECT_EQ(picked(DType::fp32, {16, 1}, 0), 4);
  EXPECT_EQ(picked(DType::bf16, {16, 1}, 0), 8);
  EXPECT_EQ(picked(DType::fp32, {18, 1}, 0), 2);  // rows of 72 bytes
  EXPECT_EQ(picked(DType::fp32, {17, 1}, 0), 1);
  EXPECT_EQ(picked(DType::fp32, {16, 1}, 2), 2);
  EXPECT_EQ(picked(DType::fp32, {1, 5}, 0), 1);
  const auto width = [](DType dtype, std::int64_t x_step, std::int64_t source_step) {
    const Tensor strip = zeros({4000}, {.dtype = dtype});
    const Tensor index = zeros({3}, {.dtype = DType::int64}).unsqueeze(1).expand({3, 16});
    return plan_additions(strip.as_strided({5, 16}, {x_step, 1}, 0), 0, index,
                          strip.as_strided({3, 16}, {source_step, 1}, 1000), {})
        .width;
  };
  EXPECT_EQ(width(DType::fp32, 16, 20), 4);
  EXPECT_EQ(width(DType::fp32, 17, 20), 1);
  EXPECT_EQ(width(DType::fp32, 16, 18), 1);
  EXPECT_EQ(width(DType::fp64, 16, 16), 1);
}

TEST(CudaIndex, RacyAdditionsLoseNothing) {
  gpu::FaultRecord record;
  for (const DType dtype : all_dtypes) {  // small integers: every order gives the same
    if (!is_defined(Op::scatter_add, dtype, Device::cpu)) continue;
    const Tensor x = arange(15).to(dtype).view({3, 5}), source = arange(200).to(DType::uint8);
    const Tensor terms = source.view({40, 5}).to(dtype), list = arange(40).to(DType::fp32);
    const Tensor index = (list * (1 / 17.0)).to(DType::int32).unsqueeze(1).expand({40, 5});
    const Tensor small = terms.slice(0, 0, 20), few = index.slice(0, 0, 20);
    const Tensor got = x.clone();
    scatter_add_with(engine, got, 0, few, small, Order::racy, {&record, ""});
    EXPECT_EQ(difference(got, scatter_add(x, 0, few, small, Order::racy)), "");
  }
  const Tensor x = arange(15).to(DType::int32).view({3, 5});
  const Tensor got = x.clone(), index = zeros({7, 5}, {.dtype = DType::int64});
  scatter_add_with(engine, got, 0, index, ones({7, 5}, {.dtype = DType::int32}), Order::racy,
                   {&record, ""});
  EXPECT_EQ(got[0].to_vector<int>(), (std::vector<int>{7, 8, 9, 10, 11}));
}

TEST(CudaIndex, BadIndicesAreSkippedAndReported) {
  const Tensor x = arange(12).to(DType::fp32).view({3, 4});
  for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    const Tensor index = from_data<std::int64_t>({0, bad, 2}).unsqueeze(1).expand({3, 4});
    gpu::FaultRecord record;
    const Tensor got = full({3, 4}, 7.0), want = full({3, 4}, 7.0);
    gather_with(engine, got, x, 0, index, {&record, "gather"});
    want[0].copy_(x[0]);
    want[2].copy_(x[2]);
    EXPECT_EQ(difference(got, want), "");
    EXPECT_EQ(record.found, 1);
    EXPECT_EQ(record.value, bad);
    EXPECT_EQ(record.size, 3);
    for (const auto& [order, few] :
         {std::pair{Order::fixed, both_ways[0]}, {Order::fixed, both_ways[1]}, {Order::racy, 0}})
      for (const Tensor& i : {index, index.contiguous()}) {
        gpu::FaultRecord adding;
        const Tensor sums = x.clone();
        scatter_add_with(engine, sums, 0, i, x, order, {&adding, "scatter_add"}, few);
        const Tensor good = x.clone();
        good[0].add_(x[0]);
        good[2].add_(x[2]);
        EXPECT_EQ(difference(sums, good), "");
        EXPECT_EQ(adding.found, 1);
        EXPECT_EQ(adding.value, bad);
      }
  }
}

}  // namespace
}  // namespace napkin::cuda
