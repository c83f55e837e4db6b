// The kernels of reductions on the host, against the reductions of the CPU: equal bits.
#include <gtest/gtest.h>

#include <cmath>

#include "common/tensor/cpu/reduce/reduce.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/host_engine.h"
#include "common/tensor/cuda/reduce/reduce_plan.h"
#include "common/tensor/order.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::cuda {
namespace {

using recorded::difference;

// Reduction of those dimensions of x.
ReduceTask reduction_of(const Tensor& x, const Dims& over, int rule, Finish finish, double number) {
  const Layout* layout = &x.layout();
  Dims is_reduced(x.rank(), 0);
  for (const std::int64_t d : over) is_reduced[static_cast<int>(d)] = 1;
  return {rule, element_order({&layout, 1}), is_reduced, finish, number};
}

Tensor result_for(const Tensor& x, const ReduceTask& reduction, DType dtype) {
  Shape shape;
  for (int d = 0; d < x.rank(); ++d)
    if (reduction.is_reduced[d] == 0) shape.push_back(x.size(d));
  return full(shape, 77, {.dtype = dtype});
}

void expect_equal(const Tensor& x, const ReduceTask& reduction, int& launches) {
  const DType dtype = is_floating(x.dtype()) ? x.dtype() : DType::int64;
  const Tensor want = result_for(x, reduction, dtype), got = want.clone();
  cpu::reduce(want, x, reduction);
  const HostEngine engine{&launches};
  switch (compute_type(x.dtype())) {
    case DType::fp64:
      reduce_by_number<double>(engine, got, x, reduction, ReductionRules{});
      break;
    case DType::fp32:
      reduce_by_number<float>(engine, got, x, reduction, ReductionRules{});
      break;
    default:
      reduce_by_number<std::int64_t>(engine, got, x, reduction, ReductionRules{});
  }
  ASSERT_EQ(difference(got, want), "") << "rule " << reduction.rule;
}

void expect_equal_places(const Tensor& x, int d, bool largest, int& launches) {
  const ReduceTask reduction = reduction_of(x, {d}, 0, Finish::nothing, 0);
  const Tensor want = result_for(x, reduction, DType::int64), got = want.clone();
  cpu::place(want, x, reduction.order, reduction.is_reduced, largest);
  const HostEngine engine{&launches};
  const DType compute = compute_type(x.dtype());
  if (compute == DType::fp64)
    place_with<double>(engine, got, x, reduction.order, reduction.is_reduced, largest);
  else if (compute == DType::fp32)
    place_with<float>(engine, got, x, reduction.order, reduction.is_reduced, largest);
  else
    place_with<std::int64_t>(engine, got, x, reduction.order, reduction.is_reduced, largest);
  ASSERT_EQ(difference(got, want), "");
}

// Tails of blocks and of packets, places that no packet begins at, strides, rows and columns.
std::vector<Tensor> operands(DType dtype) {
  Generator g(6);
  const Tensor x = dtype == DType::boolean ? randn({3, 70, 90}, {}, g).to(DType::boolean)
                                           : randn({3, 70, 90}, {}, g).mul_(9).to(dtype);
  const Tensor strip = randn({5300}, {}, g).mul_(9).to(dtype);
  std::vector<Tensor> all = {x,
                             x.permute({2, 0, 1}),
                             x.slice(2, 1, 89),
                             x.slice(2, 0, 88, 4).slice(1, 0, 33),
                             x.select(0, 1).t(),
                             x.slice(2, 3, 4).expand({3, 70, 40}),
                             x.slice(1, 0, 1),
                             x.slice(0, 0, 1).slice(2, 0, 5)};
  for (const std::int64_t n : {1, 31, 32, 33, 1023, 1024, 1025, 5000})
    for (const std::int64_t first : {0, 1, 4}) all.push_back(strip.slice(0, first, first + n));
  all.push_back(strip.view({2650, 2}));
  all.push_back(strip.view({2, 2650}));
  return all;
}

std::vector<Dims> dimensions_of(const Tensor& x) {
  if (x.rank() == 1) return {{0}};
  if (x.rank() == 2) return {{0}, {1}, {0, 1}};
  return {{0}, {1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}};
}

TEST(CudaReduce, HasTheBitsOfTheCpu) {
  int launches = 0;
  for (const DType dtype : all_dtypes)
    for (const Tensor& x : operands(dtype))
      for (const Dims& over : dimensions_of(x))
        for (const int rule : {reduction_number<Sum>, reduction_number<Product>,
                               reduction_number<Largest>, reduction_number<Smallest>}) {
          SCOPED_TRACE(fmt::format("{} {} {} over {}", name(dtype), x.shape(), x.strides(), over));
          expect_equal(x, reduction_of(x, over, rule, Finish::nothing, 0), launches);
        }
  EXPECT_GT(launches, 1000);
}

TEST(CudaReduce, MeansVariancesAndNormsHaveTheBitsOfTheCpu) {
  int launches = 0;
  for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::fp16})
    for (const Tensor& x : operands(dtype))
      for (const Dims& over : dimensions_of(x)) {
        SCOPED_TRACE(fmt::format("{} {} {} over {}", name(dtype), x.shape(), x.strides(), over));
        const auto check = [&](int rule, Finish finish, double number) {
          expect_equal(x, reduction_of(x, over, rule, finish, number), launches);
        };
        check(reduction_number<Sum>, Finish::divide, 37);
        check(reduction_number<SquaredDeviations>, Finish::divide, 36);
        check(reduction_number<Squares>, Finish::square_root, 0);
        check(reduction_number<Magnitudes>, Finish::nothing, 0);
        check(reduction_number<NotZero>, Finish::nothing, 0);
        check(reduction_number<LargestMagnitude>, Finish::nothing, 0);
        check(reduction_number<SmallestMagnitude>, Finish::nothing, 0);
        check(reduction_number<Powers>, Finish::root, 3);
      }
  EXPECT_GT(launches, 1000);
}

TEST(CudaReduce, PlacesAreThoseOfTheCpu) {
  int launches = 0;
  for (const DType dtype : all_dtypes)
    for (Tensor x : operands(dtype)) {
      if (dtype == DType::fp32 && x.rank() == 1 && x.size(0) > 1000) {
        x = x.clone();
        x.slice(0, 600, 900, 7).fill_(std::nan(""));
      }
      for (int d = 0; d < x.rank(); ++d)
        for (const bool largest : {true, false}) {
          SCOPED_TRACE(fmt::format("{} {} {} along {}", name(dtype), x.shape(), x.strides(), d));
          expect_equal_places(x, d, largest, launches);
        }
    }
  EXPECT_GT(launches, 500);
}

}  // namespace
}  // namespace napkin::cuda
