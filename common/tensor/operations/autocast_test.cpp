// The scope against what PyTorch's autocast did with the same operations (lecture 3.4).
#include "common/tensor/operations/autocast.h"

#include <gtest/gtest.h>

#include <thread>

#include "common/tensor/create.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/testing/recorded_autocast.h"
#include "common/tensor/testing/refused.h"
#include "common/tensor/testing/samples.h"

namespace napkin {
namespace {

Tensor make(DType dtype, Device device = Device::cpu) {
  return samples::numbers({4, 4}, dtype, device, 1);
}

// The operation of that name on tensors of one dtype, inside a scope.
DType result_in_scope(const Operation& o, const RecordedAutocast& r, Device data) {
  const samples::Call call = samples::call(o.op, r.first, data, {4, 4});
  const Autocast scope(r.device, r.low);
  return call().front().dtype();
}

TEST(Autocast, EveryOperationHasPyTorchsResultOnBothDevices) {
  int checked = 0;
  const auto rows = recorded_autocast();
  for (const Operation& o : operations()) {
    int found = 0;
    for (const RecordedAutocast& r : rows) {
      if (r.operation != o.name || r.first != r.others) continue;
      ++found;
      if (!r.result || !is_defined(o.op, r.first, r.device)) continue;
      ++checked;
      const auto where = fmt::format("{} of {} on {}, autocast to {}", o.name, name(r.first),
                                     name(r.device), name(r.low));
      EXPECT_EQ(name(result_in_scope(o, r, Device::meta)), name(*r.result)) << where;
      if (r.device == Device::cpu) {
        EXPECT_EQ(name(result_in_scope(o, r, Device::cpu)), name(*r.result)) << where;
      }
    }
    EXPECT_EQ(found, 16) << o.name << " is missing in reference/autocast.py";
  }
  EXPECT_GT(checked, 700);
}

TEST(Autocast, OperandsOfTwoDTypesGivePyTorchsResult) {
  using Call = Tensor (*)(const Tensor&, const Tensor&);
  const std::pair<std::string, Call> calls[] = {
      {"matmul", [](const Tensor& a, const Tensor& b) { return matmul(a, b); }},
      {"add", [](const Tensor& a, const Tensor& b) { return add(a, b); }},
      {"mul", [](const Tensor& a, const Tensor& b) { return mul(a, b); }},
      {"maximum", [](const Tensor& a, const Tensor& b) { return maximum(a, b); }},
      {"addcmul", [](const Tensor& a, const Tensor& b) { return addcmul(a, b, b); }},
      {"scatter_add",
       [](const Tensor& a, const Tensor& b) {
         return scatter_add(a, 1, zeros({4, 4}, {DType::int64, a.device()}), b);
       }},
  };
  int checked = 0;
  for (const RecordedAutocast& r : recorded_autocast())
    for (const auto& [operation, call] : calls) {
      if (r.operation != operation || r.first == r.others) continue;
      if (!r.result && r.device == Device::cuda) continue;  // promotion among half types
      ++checked;
      const Tensor a = make(r.first, Device::meta), b = make(r.others, Device::meta);
      const Autocast scope(r.device, r.low);
      if (r.result) {
        EXPECT_EQ(name(call(a, b).dtype()), name(*r.result)) << operation;
      } else {
        EXPECT_THROW(call(a, b), Error) << operation;
      }
    }
  EXPECT_GT(checked, 60);
}

// A tensor without dimensions has no say in a promotion, but it has one in a cast.
TEST(Autocast, TheWidestOperandMayHaveNoDimensions) {
  const Tensor x = make(DType::bf16, Device::meta);
  const Tensor one = ones({}, {DType::fp32, Device::meta});
  EXPECT_EQ(addcmul(x, x, one).dtype(), DType::bf16);
  const Autocast scope(Device::cuda, DType::bf16);
  EXPECT_EQ(addcmul(x, x, one).dtype(), DType::fp32);
  EXPECT_EQ(mul(x, one).dtype(), DType::bf16);
}

TEST(Autocast, ValuesAreThoseOfCastOperands) {
  const Tensor a = make(DType::fp32), b = samples::numbers({4, 3}, DType::fp32, Device::cpu, 2);
  const Tensor low = matmul(a.to(DType::bf16), b.to(DType::bf16));
  const Tensor raised = prod(low.to(DType::fp32), {1});
  const Autocast scope(Device::cpu, DType::bf16);
  EXPECT_TRUE(equal(matmul(a, b), low));
  EXPECT_EQ(matmul(a, b).dtype(), DType::bf16);
  EXPECT_TRUE(equal(prod(matmul(a, b), {1}), raised));
  EXPECT_EQ(a.dtype(), DType::fp32);
}

TEST(Autocast, EndsWithItsScope) {
  const Tensor x = make(DType::fp32);
  {
    const Autocast scope(Device::cpu, DType::fp16);
    EXPECT_EQ(matmul(x, x).dtype(), DType::fp16);
  }
  EXPECT_EQ(matmul(x, x).dtype(), DType::fp32);
  EXPECT_EQ(newest_autocast, nullptr);
}

TEST(Autocast, InnerScopesOfTheDeviceCount) {
  const Tensor x = make(DType::fp32), shape_only = make(DType::fp32, Device::meta);
  const Autocast outer(Device::cpu, DType::bf16);
  {
    const Autocast inner(Device::cpu, DType::fp16);
    EXPECT_EQ(matmul(x, x).dtype(), DType::fp16);
    const Autocast off(Device::cpu, DType::bf16, false);
    EXPECT_EQ(matmul(x, x).dtype(), DType::fp32);
    const Autocast on(Device::cpu, DType::bf16);
    EXPECT_EQ(matmul(x, x).dtype(), DType::bf16);
  }
  {
    const Autocast other(Device::cuda, DType::fp16);
    EXPECT_EQ(matmul(x, x).dtype(), DType::bf16);
    EXPECT_EQ(matmul(shape_only, shape_only).dtype(), DType::fp16);
    const Autocast off(Device::cuda, DType::fp16, false);
    EXPECT_EQ(matmul(x, x).dtype(), DType::bf16);
    EXPECT_EQ(matmul(shape_only, shape_only).dtype(), DType::fp32);
  }
  EXPECT_EQ(matmul(x, x).dtype(), DType::bf16);
}

TEST(Autocast, LeavesOtherDevicesAlone) {
  const Autocast scope(Device::cuda, DType::bf16);
  const Tensor x = make(DType::fp32), low = make(DType::bf16);
  EXPECT_EQ(matmul(x, x).dtype(), DType::fp32);
  EXPECT_EQ(softmax(low, 1).dtype(), DType::bf16);
  EXPECT_EQ(exp(low).dtype(), DType::bf16);
}

TEST(Autocast, BelongsToItsThread) {
  const Autocast scope(Device::cpu, DType::bf16);
  DType elsewhere = DType::boolean;
  std::thread([&] { elsewhere = matmul(make(DType::fp32), make(DType::fp32)).dtype(); }).join();
  EXPECT_EQ(elsewhere, DType::fp32);
}

TEST(Autocast, InPlaceNothingIsCast) {
  Tensor x = make(DType::bf16, Device::meta), y = make(DType::fp32);
  const Tensor a = make(DType::fp32);
  const Autocast cuda(Device::cuda, DType::bf16), cpu(Device::cpu, DType::bf16);
  EXPECT_EQ(x.addcmul_(x, x).dtype(), DType::bf16);
  matmul_into(y, a, a);
  EXPECT_EQ(y.dtype(), DType::fp32);
  Tensor lower = make(DType::bf16);
  expect_refused([&] { matmul_into(lower, a, a); }, {"bf16", "fp32"});
}

TEST(Autocast, OperandsWithoutFloatsStayWhatTheyAre) {
  const Tensor n = samples::numbers({4, 4}, DType::int64, Device::meta, 1);
  const Tensor b = samples::numbers({4, 4}, DType::boolean, Device::meta, 1);
  const Tensor u = samples::numbers({4, 4}, DType::uint16, Device::meta, 1);
  for (const Device device : {Device::cpu, Device::cuda}) {
    const Autocast scope(device, DType::bf16);
    EXPECT_EQ(sum(n).dtype(), DType::int64);
    EXPECT_EQ(cumsum(b, 0).dtype(), DType::int64);
    EXPECT_EQ(addcmul(n, n, n).dtype(), DType::int64);
    EXPECT_EQ(where(b, u, u).dtype(), DType::uint16);
    EXPECT_EQ(exp(n).dtype(), DType::fp32);
  }
}

TEST(Autocast, RefusesWhatIsNoLowerPrecisionOrHasNoRules) {
  expect_refused([] { Autocast(Device::cpu, DType::fp32); }, {"fp32", "bf16 and fp16"});
  expect_refused([] { Autocast(Device::meta, DType::bf16); }, {"meta", "cpu or cuda"});
  EXPECT_EQ(newest_autocast, nullptr);
}

}  // namespace
}  // namespace napkin
