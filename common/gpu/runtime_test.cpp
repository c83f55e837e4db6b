#include "common/gpu/runtime.h"

#include <gtest/gtest.h>

#include "common/core/error.h"
#ifdef NAPKIN_HAS_CUDA
#include "common/gpu/check.h"
#endif

namespace napkin {
namespace {

TEST(GpuRuntime, EitherThereIsAGpuOrAReason) {
  EXPECT_EQ(gpu::available(), gpu::device_count() > 0);
  EXPECT_EQ(gpu::available(), gpu::why_unavailable().empty());
  EXPECT_GE(gpu::device_count(), 0);
  EXPECT_TRUE(gpu::available() || gpu::describe() == gpu::why_unavailable());
}

TEST(GpuRuntime, TheLowerLayersLearnTheSame) {
  set_gpu_probe(gpu::probe);
  EXPECT_EQ(this_gpu().usable, gpu::available());
  const std::string name = this_gpu().name;
  EXPECT_FALSE(name.empty());
  EXPECT_EQ(gpu::describe().substr(0, name.size()), name);
}

#ifdef NAPKIN_HAS_CUDA
TEST(GpuCheck, AFailedCallThrowsWithItsPlace) {
  EXPECT_NO_THROW(gpu::check(cudaSuccess));
  try {
    gpu::check(cudaErrorInvalidValue);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "CUDA: invalid argument (cudaErrorInvalidValue)");
    EXPECT_EQ(error.place().substr(0, 28), "common/gpu/runtime_test.cpp:");
  }
}
#else
TEST(GpuRuntime, WithoutCudaTheReasonIsTheBuild) {
  EXPECT_EQ(gpu::why_unavailable(), "this program was built without CUDA");
}
#endif

}  // namespace
}  // namespace napkin
