#include "common/gpu/runtime.h"

#include <gtest/gtest.h>

#include <string>

#include "common/core/error.h"
#include "common/gpu/check.h"

void launch_write(int* place, int value, int threads);  // runtime_gpu_test.cu

namespace napkin {
namespace {

class GpuRuntime : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

TEST_F(GpuRuntime, AKernelRunsAndItsResultComesBack) {
  int* place = nullptr;
  gpu::check(cudaMalloc(reinterpret_cast<void**>(&place), sizeof(int)));
  launch_write(place, 336, 1);
  gpu::check(cudaGetLastError());
  int got = 0;
  gpu::check(cudaMemcpy(&got, place, sizeof(int), cudaMemcpyDeviceToHost));
  gpu::check(cudaFree(place));
  EXPECT_EQ(got, 336);
}

TEST_F(GpuRuntime, AFailedLaunchIsReportedAndTheNextOneWorks) {
  launch_write(nullptr, 0, 100'000);  // at most 1024 threads a block
  EXPECT_THROW(gpu::check(cudaGetLastError()), Error);
  EXPECT_NO_THROW(gpu::check(cudaGetLastError()));
}

TEST_F(GpuRuntime, TheDeviceIsNamedWithItsMemory) {
  EXPECT_NE(gpu::describe().find("GiB"), std::string::npos) << gpu::describe();
  EXPECT_TRUE(gpu::probe().usable);
}

}  // namespace
}  // namespace napkin
