// The main function of every test program. --file=tensor/layout_test.cpp runs the tests of that
// file alone: a program holds those of a folder, and ctest has a line for each file. Exit code 77,
// which ctest shows as Skipped, when all tests that ran were skipped; 1 when none ran, so that an
// empty program cannot pass.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

// The filter that names the tests written in the file, however gtest came by its path.
static std::string tests_of(std::string_view file) {
  std::string filter = "-*";
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      const std::string_view place = test.file();
      if (!place.ends_with(file)) continue;
      if (filter == "-*") filter.clear();
      filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int k = 1; k < argc; ++k) {
    constexpr std::string_view flag = "--file=";
    const std::string_view word = argv[k];
    if (word.starts_with(flag)) testing::GTEST_FLAG(filter) = tests_of(word.substr(flag.size()));
  }
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
