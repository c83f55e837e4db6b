// The scope on the GPU: PyTorch's result dtypes, and the values of the operands cast by hand.
#include "common/tensor/operations/autocast.h"

#include <gtest/gtest.h>

#include "common/gpu/runtime.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/testing/recorded_autocast.h"
#include "common/tensor/testing/samples.h"

namespace napkin {
namespace {

class AutocastOnTheGpu : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

TEST_F(AutocastOnTheGpu, EveryOperationHasPyTorchsResult) {
  const auto rows = recorded_autocast();
  for (const Operation& o : operations())
    for (const RecordedAutocast& r : rows) {
      if (r.operation != o.name || r.first != r.others || r.device != Device::cuda || !r.result ||
          !is_defined(o.op, r.first, Device::cuda))
        continue;
      const samples::Call call = samples::call(o.op, r.first, Device::cuda, {4, 4});
      const Autocast scope(Device::cuda, r.low);
      EXPECT_EQ(name(call().front().dtype()), name(*r.result)) << o.name << " " << name(r.first);
    }
}

TEST_F(AutocastOnTheGpu, ValuesAreThoseOfCastOperands) {
  const Tensor a = samples::numbers({8, 8}, DType::fp32, Device::cuda, 1);
  const Tensor low = matmul(a.to(DType::bf16), a.to(DType::bf16));
  const Tensor raised = softmax(low.to(DType::fp32), 1);
  const Autocast cpu(Device::cpu, DType::fp16), scope(Device::cuda, DType::bf16);
  EXPECT_TRUE(equal(matmul(a, a), low));
  EXPECT_TRUE(equal(softmax(matmul(a, a), 1), raised));
  // A number that stands in the computer's memory is no operand of the GPU's.
  const Tensor one = samples::numbers({}, DType::fp32, Device::cpu, 2);
  EXPECT_EQ(addcmul(low, low, one).dtype(), DType::bf16);
}

}  // namespace
}  // namespace napkin
