// Every cell of the table of operations on the GPU: defined or refused, and equal to the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "common/gpu/runtime.h"
#include "common/gpu/stream.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/samples.h"

namespace napkin {
namespace {

using samples::Size;

class OperationsOnTheGpu : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

// Equal bits where the table promises PyTorch's, else as near as the dtype allows.
std::string difference(const Operation& o, const Tensor& got, const Tensor& want) {
  const std::string bits = recorded::difference(got, want);
  if (bits.empty() || o.against.starts_with("PyTorch's bits") || !is_floating(want.dtype()))
    return bits;
  const double unit = want.dtype() == DType::fp64   ? 0x1p-52
                      : want.dtype() == DType::fp32 ? 0x1p-23
                      : want.dtype() == DType::fp16 ? 0x1p-10
                                                    : 0x1p-7;
  const std::vector<double> g = got.to_vector<double>(), w = want.to_vector<double>();
  for (std::size_t i = 0; i < g.size(); ++i)
    if (!(std::abs(g[i] - w[i]) <= 8 * unit * std::abs(w[i]))) return bits;
  return "";
}

TEST_F(OperationsOnTheGpu, EveryCellEqualsTheCpuOrIsRefusedByName) {
  for (const Operation& o : operations())
    for (const DType dtype : all_dtypes)
      for (const Size size : {Size{33, 70}, Size{5, 7}, Size{1, 1}, Size{301, 517}})
        for (const bool transposed : {false, true}) {
          SCOPED_TRACE(fmt::format("{} of {}, {} x {}{}", o.name, name(dtype), size.rows,
                                   size.columns, transposed ? ", transposed" : ""));
          const samples::Call on_gpu = samples::call(o.op, dtype, Device::cuda, size, transposed);
          if (!is_defined(o.op, dtype, Device::cuda)) {
            EXPECT_THROW(on_gpu(), Error);
            continue;
          }
          const std::vector<Tensor> got = on_gpu();
          if (!is_defined(o.op, dtype, Device::cpu)) continue;
          const std::vector<Tensor> want =
              samples::call(o.op, dtype, Device::cpu, size, transposed)();
          ASSERT_EQ(got.size(), want.size());
          for (std::size_t k = 0; k < got.size(); ++k) {
            EXPECT_EQ(to_string(got[k].strides()), to_string(want[k].strides()));
            EXPECT_EQ(difference(o, got[k].to(Device::cpu), want[k]), "");
          }
        }
}

TEST_F(OperationsOnTheGpu, ResultsAreTheSameBitsEveryTime) {
  for (const Operation& o : operations()) {
    if (!is_defined(o.op, DType::fp32, Device::cuda)) continue;
    SCOPED_TRACE(o.name);
    const samples::Call call = samples::call(o.op, DType::fp32, Device::cuda, {301, 517});
    const std::vector<Tensor> first = call();
    for (int repeat = 0; repeat < 5; ++repeat) {
      const std::vector<Tensor> again = call();
      for (std::size_t k = 0; k < first.size(); ++k)
        EXPECT_EQ(recorded::difference(again[k].to(Device::cpu), first[k].to(Device::cpu)), "");
    }
  }
}

}  // namespace
}  // namespace napkin
