// Reductions on the GPU against those of the CPU: equal bits.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

using recorded::difference;
constexpr double infinity = std::numeric_limits<double>::infinity();

class GpuReduce : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

std::vector<Tensor> views_of(const Tensor& x) {  // of shape {6, 70, 2100}
  return {x,
          x.transpose(0, 2),
          x.permute({1, 2, 0}),
          x.slice(2, 1, 2090),
          x.slice(2, 3, 2000, 3).slice(1, 0, 33),
          x.slice(1, 1, 2).expand({6, 5, 2100}),
          x.slice(2, 0, 7)};
}

using Reduce = std::function<Tensor(const Tensor&, const Dims&)>;

void expect_the_cpus(DType dtype, const std::vector<Reduce>& reductions) {
  Generator g(1);
  const Tensor here = randn({6, 70, 2100}, {}, g).mul_(5).to(dtype);
  const std::vector<Tensor> cpu = views_of(here), gpu = views_of(here.to(Device::cuda));
  for (std::size_t v = 0; v < cpu.size(); ++v)
    for (const Dims& over : {Dims{0}, Dims{1}, Dims{2}, Dims{0, 2}, Dims{1, 2}, Dims{0, 1, 2}})
      for (std::size_t k = 0; k < reductions.size(); ++k) {
        SCOPED_TRACE(fmt::format("{}, view {}, over {}, number {}", name(dtype), v, over, k));
        const Tensor got = reductions[k](gpu[v], over), want = reductions[k](cpu[v], over);
        EXPECT_EQ(got.device(), Device::cuda);
        EXPECT_EQ(difference(got.to(Device::cpu), want), "");
      }
}

TEST_F(GpuReduce, SumsProductsAndExtremesAreTheCpus) {
  for (const DType dtype : all_dtypes)
    if (is_defined(Op::sum, dtype, Device::cuda))
      expect_the_cpus(dtype, {[](const Tensor& x, const Dims& d) { return sum(x, d); },
                              [](const Tensor& x, const Dims& d) { return prod(x, d); },
                              [](const Tensor& x, const Dims& d) { return max(x, d); },
                              [](const Tensor& x, const Dims& d) { return min(x, d, true); }});
}

TEST_F(GpuReduce, MeansVariancesAndNormsAreTheCpus) {
  for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::fp16})
    expect_the_cpus(dtype, {[](const Tensor& x, const Dims& d) { return mean(x, d); },
                            [](const Tensor& x, const Dims& d) { return var(x, d); },
                            [](const Tensor& x, const Dims& d) { return norm(x, 2, d); },
                            [](const Tensor& x, const Dims& d) { return norm(x, 1, d); },
                            [](const Tensor& x, const Dims& d) { return norm(x, 0, d); },
                            [](const Tensor& x, const Dims& d) { return norm(x, infinity, d); }});
}

TEST_F(GpuReduce, PlacesAreTheCpus) {
  for (const DType dtype : all_dtypes)
    if (is_defined(Op::argmax, dtype, Device::cuda))
      expect_the_cpus(
          dtype, {[](const Tensor& x, const Dims& d) { return argmax(x, static_cast<int>(d[0])); },
                  [](const Tensor& x, const Dims& d) { return argmin(x, static_cast<int>(d[0])); },
                  [](const Tensor& x, const Dims&) { return argmax(x); }});
}

// pow is not the CPU's to the bit.
TEST_F(GpuReduce, OtherNormsAreNear) {
  Generator g(1);
  const Tensor x = randn({70, 300}, {}, g);
  for (const double p : {3.0, 1.5})
    EXPECT_EQ(beyond(norm(x.to(Device::cuda), p, {1}).to(Device::cpu), norm(x, p, {1}), 1), "");
}

TEST_F(GpuReduce, LargeAndEmptyTensors) {
  Generator g(2);
  const Tensor x = randn({5000000}, {}, g), on_gpu = x.to(Device::cuda);
  EXPECT_EQ(difference(sum(on_gpu).to(Device::cpu), sum(x)), "");
  EXPECT_EQ(difference(argmax(on_gpu).to(Device::cpu), argmax(x)), "");
  EXPECT_EQ(difference(norm(on_gpu).to(Device::cpu), norm(x)), "");
  const Tensor none = zeros({0, 3}, {.device = Device::cuda});
  EXPECT_EQ(difference(sum(none, {0}).to(Device::cpu), zeros({3})), "");
  EXPECT_EQ(difference(prod(none, {0}).to(Device::cpu), ones({3})), "");
  EXPECT_EQ(max(none, {1}).shape(), (Shape{0}));
  EXPECT_THROW(max(none), Error);
}

}  // namespace
}  // namespace napkin
