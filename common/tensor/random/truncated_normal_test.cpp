// Normal values cut to a range: PyTorch's where it can draw them (random_test.cpp), ours in long
// tails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "common/io/testing/temporary_folder.h"  // refusal
#include "common/tensor/random/random.h"

namespace napkin {
namespace {

// The sentence a call is refused with; nothing may have been drawn.
template <class Work>
std::string refused(Work&& work) {
  Generator g(1);
  randn({1}, {}, g);
  const auto before = g.state();
  const std::string why = io::refusal([&] { work(g); });
  EXPECT_EQ(g.state(), before) << why;
  return why;
}

TEST(TruncatedNormal, BadArgumentsAreRefusedAndNothingIsDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const auto cut = [](double mean, double std, double low, double high) {
    return refused([&](auto& g) { truncated_normal({4}, mean, std, low, high, {}, g); });
  };
  EXPECT_EQ(cut(0, -1, -2, 2),
            "truncated_normal with standard deviation -1: it must be finite and above 0");
  EXPECT_NE(cut(0, 0, -2, 2), "");
  EXPECT_NE(cut(0, nan, -2, 2), "");
  EXPECT_NE(cut(0, inf, -2, 2), "");
  EXPECT_NE(cut(nan, 1, -2, 2), "");
  EXPECT_NE(cut(0, 1, 2, -2), "");
  EXPECT_NE(cut(0, 1, nan, 2), "");
  EXPECT_NE(cut(0, 1, -inf, nan), "");
  EXPECT_NE(
      refused([&](auto& g) { truncated_normal({4}, 0, 1, -2, 2, {.dtype = DType::int32}, g); }),
      "");
}

// The largest distance between a distribution's function, which gives the share below x, and that
// of the values drawn (Kolmogorov-Smirnov).
double distance_from(std::vector<double> drawn, const std::function<double(double)>& below) {
  std::ranges::sort(drawn);
  const double n = static_cast<double>(drawn.size());
  double largest = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double share = below(drawn[i]), place = static_cast<double>(i);
    largest = std::max({largest, std::abs(share - place / n), std::abs(share - (place + 1) / n)});
  }
  return largest;
}

// Ranges for which PyTorch needs thousands of rounds, or never ends.
TEST(TruncatedNormal, LongTailsHaveTheNormalDistribution) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t n = 20'000;
  Generator g(8);
  struct Range {
    double mean, std, low, high;
  };
  for (const auto& [mean, std, low, high] :
       {Range{0, 0.02, 0.03, 2}, Range{0, 1, 10, 1e9}, Range{0, 1, 3, infinity},
        Range{5, 2, -infinity, 1}, Range{1, 0.5, -40, -0.2}}) {
    const auto x = truncated_normal({n}, mean, std, low, high, {.dtype = DType::fp64}, g);
    const auto values = x.to_vector<double>();
    EXPECT_GE(std::ranges::min(values), low);
    EXPECT_LE(std::ranges::max(values), high);
    // Of the range, which goes to infinity as good as, the share between its end and x.
    const double sign = low > mean ? 1 : -1, edge = low > mean ? low : high;
    const auto beyond = [&](double v) { return std::erfc(sign * (v - mean) / std / std::sqrt(2)); };
    const auto nearer = [&](double v) { return 1 - beyond(sign * v) / beyond(edge); };
    std::vector<double> outwards = values;
    for (double& v : outwards) v *= sign;
    EXPECT_LE(distance_from(outwards, nearer), 1.63 / std::sqrt(n)) << low << " to " << high;
  }
  // So far out that the density is 0 in double.
  for (const float v : truncated_normal({100}, 0, 1, 1e30, infinity, {}, g).to_vector<float>())
    EXPECT_EQ(v, 1e30f);
}

// std z + mean in one rounding, as PyTorch's compiler fuses it.
TEST(TruncatedNormal, AShiftedValueIsRoundedOnce) {
  Generator g;
  const double z = 0.1, std = 0.3, mean = 1.0 / 3;
  g.held_normal = z;
  const Tensor x = truncated_normal({1}, mean, std, 0, 1, {.dtype = DType::fp64}, g);
  EXPECT_EQ(x.item().to_double(), std::fma(z, std, mean));
  ASSERT_NE(z * std + mean, std::fma(z, std, mean));
}

TEST(TruncatedNormal, EveryValueLiesWithinTheRange) {
  Generator g(6);
  for (const auto& [low, high] : {std::pair(-1.0, 0.5), std::pair(2.0, 2.5), std::pair(40.0, 41.0)})
    for (const double x : truncated_normal({2000}, 0, 1, low, high, {}, g).to_vector<double>()) {
      EXPECT_GE(x, low);
      EXPECT_LE(x, high);
    }
}

}  // namespace
}  // namespace napkin
