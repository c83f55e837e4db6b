#include "common/gpu/fault.h"

#include <gtest/gtest.h>

#include <string>

#include "common/core/error.h"
#include "common/gpu/runtime.h"
#include "common/gpu/stream.h"

namespace napkin::gpu {

void ask_for_indices(int count);  // fault_gpu_test.cu: of five

namespace {

class GpuFault : public testing::Test {
  void SetUp() override {
    if (!available()) GTEST_SKIP() << why_unavailable();
  }
};

TEST_F(GpuFault, ABadIndexIsThrownByTheNextWaitAndByNoOther) {
  ask_for_indices(1024);
  try {
    synchronize();
    FAIL() << "nothing was thrown";
  } catch (const Error& fault) {
    EXPECT_EQ(std::string(fault.what()).find("gather: index "), 0u) << fault.what();
    EXPECT_NE(std::string(fault.what()).find(" is not in a dimension of size 5"),
              std::string::npos);
  }
  EXPECT_NO_THROW(synchronize());
  ask_for_indices(5);
  EXPECT_NO_THROW(synchronize());
  ask_for_indices(6);
  EXPECT_THROW(synchronize(), Error);
}

}  // namespace
}  // namespace napkin::gpu
