// The rules against what PyTorch's autocast did (lecture 3.4).
#include "common/numeric/autocast.h"

#include <gtest/gtest.h>

#include "common/tensor/testing/recorded_autocast.h"

namespace napkin {
namespace {

// What an operator without a rule makes of an operand beside another.
DType result_of(const RecordedAutocast& r) {
  const Cast rule = autocast_rule(r.operation, r.device);
  const DType widest = promote(r.first, r.others);
  return promote(autocast_dtype(rule, r.low, r.first, widest),
                 autocast_dtype(rule, r.low, r.others, widest));
}

TEST(AutocastRules, GivePyTorchsDTypesOnBothDevices) {
  int checked = 0, both[2] = {};
  for (const RecordedAutocast& r : recorded_autocast()) {
    if (!r.result || !is_floating(*r.result)) continue;
    ++checked;
    ++both[r.device == Device::cuda];
    EXPECT_EQ(name(*r.result), name(result_of(r)))
        << r.operation << " of " << name(r.first) << " and " << name(r.others) << " on "
        << name(r.device) << ", autocast to " << name(r.low);
    if (r.first == r.others) {
      EXPECT_EQ(*r.result, autocast_dtype(r.operation, r.device, r.low, r.first)) << r.operation;
    }
  }
  EXPECT_GT(checked, 1000);
  EXPECT_GT(both[0], 500);
  EXPECT_GT(both[1], 500);
}

// The lecture's warning: a program that relies on one table is wrong on the other device.
TEST(AutocastRules, SoftmaxStaysLowOnTheCpuAndIsRaisedOnCuda) {
  EXPECT_EQ(autocast_dtype("softmax", Device::cpu, DType::bf16, DType::bf16), DType::bf16);
  EXPECT_EQ(autocast_dtype("softmax", Device::cuda, DType::bf16, DType::bf16), DType::fp32);
  EXPECT_EQ(autocast_dtype("cross_entropy", Device::cpu, DType::bf16, DType::bf16), DType::fp32);
}

TEST(AutocastRules, LeaveFp64AndIntegersAlone) {
  for (const char* operation : {"matmul", "softmax", "mse_loss", "addcmul", "relu"})
    for (const Device device : {Device::cpu, Device::cuda})
      for (const DType d : all_dtypes)
        if (d == DType::fp64 || !is_floating(d)) {
          EXPECT_EQ(autocast_dtype(operation, device, DType::bf16, d), d) << operation;
        }
}

TEST(AutocastRules, MetaHasNone) { EXPECT_THROW(autocast_rule("matmul", Device::meta), Error); }

}  // namespace
}  // namespace napkin
