#include "common/core/units.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "common/core/machine.h"

namespace napkin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Units, ThousandsAreSeparated) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(603979776), "603,979,776");
  EXPECT_EQ(with_commas(-100), "-100");
  EXPECT_EQ(with_commas(-123456), "-123,456");
  EXPECT_EQ(with_commas(INT64_MIN), "-9,223,372,036,854,775,808");
}

// Lecture 2.2: 2415919104 bytes are 2.42 GB and 2304 MiB; 96 layers of two are 463.86 GB.
TEST(Units, GigabytesAndGibibytesAreToldApart) {
  EXPECT_EQ(decimal_bytes(2415919104), "2.42 GB");
  EXPECT_EQ(binary_bytes(2415919104), "2.25 GiB");
  EXPECT_EQ(decimal_bytes(2415919104.0 * 192), "463.86 GB");
  EXPECT_EQ(decimal_bytes(268435456), "268.44 MB");
  EXPECT_EQ(binary_bytes(268435456), "256 MiB");
  EXPECT_EQ(binary_bytes(0), "0 B");
  EXPECT_EQ(decimal_bytes(96), "96 B");
  EXPECT_EQ(decimal_bytes(1000), "1 kB");
  EXPECT_EQ(binary_bytes(1023), "1023 B");
  EXPECT_EQ(binary_bytes(-2048), "-2 KiB");
}

TEST(Units, AUnitIsNeverFilledUpByRounding) {
  EXPECT_EQ(decimal_bytes(999999), "1 MB");
  EXPECT_EQ(binary_bytes(1024.0 * 1024 - 1), "1 MiB");
  EXPECT_EQ(duration(999.9e-6), "1 ms");
  EXPECT_EQ(duration(0.9999), "1 s");
}

TEST(Units, DurationsHaveTwoDigits) {
  EXPECT_EQ(duration(28e-9), "0.028 us");
  EXPECT_EQ(duration(0.6e-6), "0.6 us");
  EXPECT_EQ(duration(3.714e-3), "3.7 ms");
  EXPECT_EQ(duration(0.1284), "128 ms");
  EXPECT_EQ(duration(1.23), "1.2 s");
  EXPECT_EQ(duration(7200), "7200 s");
  EXPECT_EQ(duration(0), "0 us");
}

TEST(Units, NumbersKeepThreeDigits) {
  EXPECT_EQ(short_number(130012), "1.3e5");
  EXPECT_EQ(short_number(12345), "12345");
  EXPECT_EQ(short_number(12.345), "12.3");
  EXPECT_EQ(short_number(5), "5");
  EXPECT_EQ(short_number(0.00123), "0.00123");
  EXPECT_EQ(short_number(1e-8), "1e-8");
  EXPECT_EQ(short_number(-0.5), "-0.5");
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(99999.7), "1e5");
  EXPECT_EQ(short_number(infinity), "inf");
  EXPECT_EQ(short_number(-infinity), "-inf");
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(short_number(-std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(significant(170.66666666666666, 7), "170.6667");
}

TEST(Machine, IsNamed) {
  EXPECT_GE(machine().cores, 1);
  EXPECT_FALSE(machine().processor.empty());
}

TEST(Machine, TheGpuIsAskedForOnce) {
  EXPECT_FALSE(this_gpu().usable);
  EXPECT_EQ(this_gpu().name, "no GPU");
  int asked = 0;
  set_gpu_probe([&] {
    ++asked;
    return Gpu{true, "a GPU"};
  });
  EXPECT_EQ(asked, 0);
  EXPECT_TRUE(this_gpu().usable);
  EXPECT_EQ(this_gpu().name, "a GPU");
  EXPECT_EQ(asked, 1);
  set_gpu_probe({});
  EXPECT_FALSE(this_gpu().usable);
}

}  // namespace
}  // namespace napkin
