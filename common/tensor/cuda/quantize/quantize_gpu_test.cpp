// Block tensors on the GPU against those of the CPU.
#include <gtest/gtest.h>

#include "common/core/error.h"
#include "common/gpu/runtime.h"
#include "common/gpu/stream.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/testing/block_samples.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::difference;

class GpuBlocks : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

TEST_F(GpuBlocks, AreTheCpus) {
  const Tensor x = telling_tensor({37, 4096}, 1);
  for (const Tensor& view : {x, x.t(), x.slice(1, 1, 4000), x.slice(0, 3, 30, 5), x[4]})
    for (const BlockFormat& f : sample_block_formats()) {
      SCOPED_TRACE(fmt::format("{} in {}", view.shape(), described(f)));
      const BlockTensor want = quantize(view, f);
      const BlockTensor on_gpu = quantize(view.to(Device::cuda), f), got = on_gpu.to(Device::cpu);
      EXPECT_EQ(difference(got.codes, want.codes), "");
      EXPECT_EQ(difference(got.scales, want.scales), "");
      if (want.tensor_scale.defined()) {
        EXPECT_EQ(difference(got.tensor_scale, want.tensor_scale), "");
      }
      for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16, DType::fp64})
        EXPECT_EQ(difference(dequantize(on_gpu, dtype).to(Device::cpu), dequantize(want, dtype)),
                  "");
    }
}

TEST_F(GpuBlocks, InfinityIsRefusedWithTheNextWait) {
  Tensor x = telling_tensor({4, 64}, 2);
  x[1][7].fill_(std::numeric_limits<double>::infinity());
  const Tensor on_gpu = x.to(Device::cuda);
  const BlockTensor q = quantize(on_gpu, block_formats::nvfp4);
  EXPECT_THROW(gpu::synchronize(), Error);
  EXPECT_NO_THROW(gpu::synchronize());
}

}  // namespace
}  // namespace napkin
