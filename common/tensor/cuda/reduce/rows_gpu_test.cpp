// softmax, log_softmax and cumulative sums on the GPU against those of the CPU.
#include <gtest/gtest.h>

#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

using recorded::difference;

class GpuRows : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

std::vector<Tensor> operands(DType dtype) {
  Generator g(6);
  const Tensor x = randn({3, 41, 52}, {}, g).mul_(9).to(dtype);
  std::vector<Tensor> all = {x, x.permute({2, 0, 1}), x.slice(2, 1, 50), x[1][2][3]};
  for (const std::int64_t n : {1, 33, 1024, 4096, 4100, 50257})
    all.push_back(randn({5, n}, {}, g).mul_(9).to(dtype));
  return all;
}

// exp and log of FP64 are not the CPU's to the bit.
TEST_F(GpuRows, SoftmaxIsTheCpus) {
  for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::fp16})
    for (const Tensor& x : operands(dtype))
      for (int d = 0; d < std::max(x.rank(), 1); ++d) {
        SCOPED_TRACE(fmt::format("{} {} along {}", name(dtype), x.shape(), d));
        const Tensor on_gpu = x.to(Device::cuda);
        const Tensor y = softmax(on_gpu, d).to(Device::cpu);
        const Tensor l = log_softmax(on_gpu, d).to(Device::cpu);
        const double units = dtype == DType::fp64 ? 8 : 0;
        EXPECT_EQ(beyond(y, softmax(x, d), units), "");
        EXPECT_EQ(beyond(l, log_softmax(x, d), units, 1), "");
      }
}

TEST_F(GpuRows, CumulativeSumsAreTheCpus) {
  for (const DType dtype : all_dtypes)
    for (const Tensor& x : operands(dtype))
      for (int d = 0; d < std::max(x.rank(), 1); ++d) {
        if (!is_defined(Op::cumsum, dtype, Device::cuda)) continue;
        SCOPED_TRACE(fmt::format("{} {} along {}", name(dtype), x.shape(), d));
        const Tensor got = cumsum(x.to(Device::cuda), d).to(Device::cpu);
        if (!is_floating(dtype))
          EXPECT_EQ(difference(got, cumsum(x, d)), "");
        else
          EXPECT_EQ(beyond(got, cumsum(x.to(DType::fp64), d), dtype == DType::fp64 ? 1e5 : 0.51, 1),
                    "");
      }
}

}  // namespace
}  // namespace napkin
