// Loss scaling on the GPU against the CPU: the same gradients, scales and skipped steps.
#include "common/optim/loss_scaling.h"

#include <gtest/gtest.h>

#include "common/gpu/runtime.h"
#include "common/tensor/file.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

TEST(LossScalerOnTheGpu, TakesTheStepsOfTheCpu) {
  if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  const auto stored = load_safetensors(NAPKIN_SOURCE "/reference/golden/loss_scaling.safetensors");
  LossScaler on_cpu({.scale = 1024, .growth_interval = 3}), on_gpu = on_cpu;
  int skipped = 0;
  for (std::int64_t step = 0; step < 40; ++step) {
    std::vector<Tensor> a, b;
    for (const char* kind : {"quick.fp32.given", "quick.bf16.given", "quick.fp64.given"}) {
      a.push_back(stored.at(kind)[step].clone());
      b.push_back(a.back().to(Device::cuda));
    }
    on_cpu.unscale_(a);
    on_gpu.unscale_(b);
    bool ran = false;
    skipped += !on_cpu.step([] {});
    EXPECT_EQ(on_gpu.step([&] { ran = true; }), !on_cpu.found_infinity()) << step;
    EXPECT_EQ(ran, !on_cpu.found_infinity()) << step;
    on_cpu.update();
    on_gpu.update();
    EXPECT_EQ(on_gpu.scale(), on_cpu.scale()) << step;
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_EQ(recorded::difference(b[k].to(Device::cpu), a[k]), "") << step;
  }
  EXPECT_GT(skipped, 10);
}

}  // namespace
}  // namespace napkin
