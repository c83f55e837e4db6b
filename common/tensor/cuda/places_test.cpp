// The arithmetic of kernels: divisions, places, and numbers of elements past 2^31.
#include "common/tensor/cuda/places.h"

#include <gtest/gtest.h>

#include <random>

#include "common/core/error.h"
#include "common/tensor/cuda/plan.h"

namespace napkin::cuda {
namespace {

TEST(Divider, DividesEveryKindOfNumber) {
  std::mt19937 engine(3);
  std::vector<std::uint32_t> divisors = {1,     2,     3,     5,          7,         641,
                                         65535, 65536, 65537, 0x7ffffffe, 0x7fffffff};
  for (int i = 0; i < 2000; ++i)
    divisors.push_back(1 +
                       static_cast<std::uint32_t>(engine() % 0x7fffffff) % (1u << (1 + i % 31)));
  for (const std::uint32_t d : divisors) {
    const Divider divide(d);
    for (int i = 0; i < 200; ++i) {
      const auto n = static_cast<std::uint32_t>(engine()) >> (1 + i % 31);
      ASSERT_EQ(divide(n), n / d) << n << " / " << d;
    }
    for (const std::uint64_t k : {0ull, 1ull, 2ull, 0x7fffffffull / d})
      for (const int near : {-1, 0, 1}) {
        const std::uint64_t n = k * d + static_cast<std::uint64_t>(near);
        if (n > 0x7fffffff) continue;
        ASSERT_EQ(divide(static_cast<std::uint32_t>(n)), n / d) << n << " / " << d;
      }
  }
}

std::int64_t place_of(const Places<2>& places, std::int64_t item, int tensor) {
  std::int64_t place[2];
  places.find(item, place);
  return place[tensor];
}

TEST(Places, ArePlainIndexArithmetic) {
  const Layout to{{5, 1, 7, 3}, {21, 21, 3, 1}, 0}, from{{5, 1, 7, 3}, {3, 0, 15, 1}, 0};
  const Layout* layouts[] = {&to, &from};
  const Places<2> places = places_of<2>(plan_walk(layouts), {2, 4});
  EXPECT_EQ(places.items(), 105);
  EXPECT_EQ(places.rank, 3);
  std::int64_t item = 0;
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 7; ++j)
      for (std::int64_t k = 0; k < 3; ++k, ++item) {
        EXPECT_EQ(place_of(places, item, 0), 2 * (21 * i + 3 * j + k));
        EXPECT_EQ(place_of(places, item, 1), 4 * (3 * i + 15 * j + k));
      }
}

// No memory of that size is needed to know where its elements would be.
TEST(Places, AreRightPast31And32Bits) {
  const std::int64_t rows = 100'003, columns = 65'537;  // 6.6e9 elements
  const Layout to{{rows, columns}, {columns, 1}, 0}, from{{rows, columns}, {1, rows}, 0};
  const Layout* layouts[] = {&to, &from};
  const Places<2> places = places_of<2>(plan_walk(layouts), {4, 4});
  EXPECT_FALSE(places.narrow);
  EXPECT_EQ(places.items(), rows * columns);
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{32'768}, rows - 1})
    for (const std::int64_t j : {std::int64_t{0}, std::int64_t{777}, columns - 1}) {
      EXPECT_EQ(place_of(places, i * columns + j, 0), 4 * (i * columns + j));
      EXPECT_EQ(place_of(places, i * columns + j, 1), 4 * (j * rows + i));
    }
  const gpu::Grid grid = gpu::grid_for(places.items());
  EXPECT_GE(grid.blocks * grid.threads, places.items());
  EXPECT_LT((grid.blocks - 1) * grid.threads, places.items());
  EXPECT_EQ((gpu::Thread{grid.blocks - 1, 255, grid}.number()), grid.blocks * 256 - 1);
  EXPECT_THROW(gpu::grid_for(std::int64_t{1} << 40), Error);
}

TEST(Places, TheLargestNarrowCountIsNarrow) {
  for (const std::int64_t rows : {std::int64_t{0x7fffffff}, std::int64_t{0x80000000}}) {
    const Layout to{{rows, 1}, {3, 1}, 0};
    const Layout* layouts[] = {&to, &to};
    const Places<2> places = places_of<2>(plan_walk(layouts), {1, 1});
    EXPECT_EQ(places.narrow, rows == 0x7fffffff);
    EXPECT_EQ(place_of(places, rows - 1, 0), 3 * (rows - 1));
  }
}

}  // namespace
}  // namespace napkin::cuda
