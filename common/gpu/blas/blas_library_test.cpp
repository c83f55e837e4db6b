// Loading cuBLAS, and what is said when it fails. Needs no GPU.
#include "common/gpu/blas/blas_library.h"

#include <gtest/gtest.h>

#include <string>

#include "common/core/error.h"

namespace napkin::gpu {
namespace {

std::string sentence_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(BlasLibrary, HasEveryFunctionThatIsUsed) {
  const std::string refusal = sentence_of([] { EXPECT_NE(blas_library().gemm, nullptr); });
  if (refusal.find("was not found") != std::string::npos) GTEST_SKIP() << refusal;
  EXPECT_EQ(refusal, "");
}

TEST(BlasLibrary, MissingOnesAreNamed) {
  const std::string refusal = sentence_of([] { open_library("libcublas.so.none"); });
  EXPECT_NE(refusal.find("matrix products on the GPU need libcublas.so.none, which was not found"),
            std::string::npos)
      << refusal;
}

TEST(BlasLibrary, AFailedCallNamesItsStatusAndItsPlace) {
  EXPECT_NO_THROW(check(CUBLAS_STATUS_SUCCESS));
  try {
    check(CUBLAS_STATUS_NOT_SUPPORTED);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("CUBLAS_STATUS_NOT_SUPPORTED"), std::string::npos);
    EXPECT_NE(error.place().find("blas_library_test.cpp"), std::string::npos);
  }
}

}  // namespace
}  // namespace napkin::gpu
