// The kernels of softmax and cumulative sums on the host, against the CPU: the same bits, but for
// cumulative sums of fp32 and halves, whose FP64 sums have another order.
#include <gtest/gtest.h>

#include "common/tensor/cpu/reduce/rows.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/host_engine.h"
#include "common/tensor/cuda/reduce/row_plan.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/within.h"

namespace napkin::cuda {
namespace {

using recorded::difference;

std::vector<Tensor> operands(DType dtype, std::int64_t lines = 41) {
  Generator g(6);
  const Tensor x = randn({3, lines, 52}, {}, g).mul_(9).to(dtype);
  std::vector<Tensor> all = {x,
                             x.permute({2, 0, 1}),
                             x.slice(2, 1, 50),
                             x.slice(1, 0, 1),
                             x.slice(2, 3, 4).expand({3, lines, 40}),
                             x[1][2][3]};
  const Tensor strip = randn({21000}, {}, g).mul_(9).to(dtype);
  for (const std::int64_t n : {1, 31, 33, 1024, 1025, 2049, 4100, 8192, 9001})
    for (const std::int64_t first : {0, 1})
      all.push_back(strip.slice(0, first, first + 2 * n).view({2, n}));
  return all;
}

TEST(CudaRows, SoftmaxHasTheBitsOfTheCpu) {
  int launches = 0;
  for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::fp16})
    for (const Tensor& x : operands(dtype))
      for (int d = 0; d < std::max(x.rank(), 1); ++d)
        for (const RowOperation operation : {RowOperation::softmax, RowOperation::log_softmax}) {
          SCOPED_TRACE(fmt::format("{} {} {} along {}", name(dtype), x.shape(), x.strides(), d));
          const Tensor want = full(x.shape(), 7, {.dtype = dtype}), got = want.clone();
          cpu::run_along(operation, want, x, d);
          run_along_with(HostEngine{&launches}, operation, got, x, d);
          ASSERT_EQ(difference(got, want), "");
        }
  EXPECT_GT(launches, 300);
}

TEST(CudaRows, SoftmaxOfInfinitiesAndNaN) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Tensor x = zeros({6, 1500});
  x[0].fill_(-infinity);
  x[1].slice(0, 0, 1400).fill_(-infinity);
  x[2].slice(0, 1200, 1201).fill_(infinity);
  x[3].slice(0, 3, 4).fill_(std::nanf(""));
  x[4].fill_(std::nanf(""));
  int launches = 0;
  for (const RowOperation operation : {RowOperation::softmax, RowOperation::log_softmax}) {
    const Tensor want = zeros({6, 1500}), got = zeros({6, 1500});
    cpu::run_along(operation, want, x, 1);
    run_along_with(HostEngine{&launches}, operation, got, x, 1);
    EXPECT_EQ(difference(got, want), "");
  }
}

TEST(CudaRows, CumulativeSumsAreTheCpus) {
  int launches = 0;
  for (const DType dtype : all_dtypes)
    for (const Tensor& x : operands(dtype, 5)) {
      for (int d = x.rank() == 2 ? 1 : 0; d < std::max(x.rank(), 1); ++d) {
        if (!is_defined(Op::cumsum, dtype, Device::cuda)) continue;
        SCOPED_TRACE(fmt::format("{} {} {} along {}", name(dtype), x.shape(), x.strides(), d));
        const DType to = is_floating(dtype) ? dtype : DType::int64;
        const Tensor got = full(x.shape(), 7, {.dtype = to});
        run_along_with(HostEngine{&launches}, RowOperation::cumsum, got, x, d);
        if (!is_floating(dtype)) {
          ASSERT_EQ(difference(got, cumsum(x, d)), "");
          continue;
        }
        // FP64 sums of at most 9001 numbers below 64 are exact to 2^-53 9001 64 9001 < 1e-6 of
        // them.
        const Tensor exact = cumsum(x.to(DType::fp64), d);
        ASSERT_EQ(beyond(got, exact, dtype == DType::fp64 ? 4000 : 0.51, 1), "");
      }
    }
  EXPECT_GT(launches, 300);
}

// Parts of parts: more than 2048^2 elements.
TEST(CudaRows, LongLinesAreSummedUp) {
  const Tensor x = ones({(2048 * 2048) + 5000}, {.dtype = DType::uint8});
  const Tensor got = empty(x.shape(), {.dtype = DType::int64});
  int launches = 0;
  run_along_with(HostEngine{&launches}, RowOperation::cumsum, got, x, 0);
  EXPECT_EQ(launches, 5);
  EXPECT_EQ(difference(got, arange(1, x.numel() + 1, 1)), "");
}

}  // namespace
}  // namespace napkin::cuda
