// The main function of every test program. Exit code 77, which ctest shows as Skipped, when all
// tests that ran were skipped; 1 when none ran, so that an empty program cannot pass.
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  if (testing::GTEST_FLAG(list_tests)) return result;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  if (all.test_to_run_count() == 0) {
    std::fputs("no test ran\n", stderr);
    return 1;
  }
  if (result == 0 && all.skipped_test_count() == all.test_to_run_count()) return 77;
  return result;
}
