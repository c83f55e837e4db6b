#include "common/tensor/random/generator.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "common/io/testing/temporary_folder.h"  // refusal
#include "common/tensor/random/random.h"

namespace napkin {
namespace {

TEST(Generator, TheEngineIsTheStandardOne) {
  Generator g(5489);
  for (int i = 1; i < 10'000; ++i) g.random();
  EXPECT_EQ(g.random(), 4123659995u);  // C++ standard, [rand.predef]
  g.manual_seed(42);
  EXPECT_EQ(g.random(), 1608637542u);
  g.manual_seed(42);
  EXPECT_EQ(rand({1}, {}, g).item().to_double(), 0.8822692632675171);
}

TEST(Generator, SixtyFourBitsAreTwoOutputsTheFirstOnTop) {
  Generator a(1), b(1);
  const std::uint64_t high = a.random(), low = a.random();
  EXPECT_EQ(b.random64(), high << 32 | low);
}

TEST(Generator, DrawsWithoutAGeneratorComeFromTheDefaultOne) {
  EXPECT_EQ(Generator().initial_seed(), 67280421310721u);
  manual_seed(7);
  EXPECT_EQ(default_generator().initial_seed(), 7u);
  Generator g(7);
  EXPECT_EQ(rand({3}).to_vector<float>(), rand({3}, {}, g).to_vector<float>());
  manual_seed(static_cast<std::uint64_t>(-1));
  EXPECT_EQ(default_generator().initial_seed(), std::numeric_limits<std::uint64_t>::max());
}

TEST(Generator, CopiesGoOnOnTheirOwn) {
  Generator a(3);
  randn({5}, {}, a);
  Generator b = a;
  EXPECT_EQ(randn({5}, {}, a).to_vector<float>(), randn({5}, {}, b).to_vector<float>());
}

TEST(Generator, ARestoredStreamGoesOnWhereItWasSaved) {
  for (const std::int64_t before : {0, 1, 2, 3, 15, 16, 700}) {
    Generator g(static_cast<std::uint64_t>(before));
    randn({before}, {}, g);
    const auto state = g.state();
    EXPECT_EQ(g.held_normal.has_value(), before % 2 == 1 && before < 16);
    const auto draw = [](Generator& from) {
      std::vector<double> all;
      for (const Tensor& t : {randn({3}, {}, from), rand({700}, {}, from), randn({2}, {}, from)})
        for (const double x : t.to_vector<double>()) all.push_back(x);
      return all;
    };
    const auto want = draw(g);
    Generator other(99);
    randn({1}, {}, other);
    other.set_state(state);
    EXPECT_EQ(other.state(), state);
    EXPECT_EQ(other.initial_seed(), g.initial_seed());
    EXPECT_EQ(draw(other), want);
    g.set_state(state);
    EXPECT_EQ(draw(g), want);
  }
}

TEST(Generator, AStateThatNoGeneratorGivesIsRefusedAndNothingChanges) {
  Generator g(5);
  randn({1}, {}, g);
  const auto good = g.state();
  constexpr std::size_t words = 3, place = 3 + 624;
  ASSERT_EQ(good.size(), place + 1);
  const auto with = [&](std::size_t i, std::uint64_t value) {
    auto state = good;
    state[i] = value;
    return state;
  };
  auto zero = good, shorter = good, longer = good, none_held = good;
  std::fill(zero.begin() + words, zero.begin() + place, 0);
  shorter.pop_back();
  longer.push_back(0);
  none_held[1] = 0;  // but a value is there
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (const auto& bad :
       {std::vector<std::uint64_t>{}, shorter, longer, zero, none_held, with(1, 2),
        with(2, bits(NAN)), with(2, bits(INFINITY)), with(words, 1ull << 32),
        with(place - 1, ~0ull), with(place, 625), with(place, ~0ull)}) {
    EXPECT_NE(io::refusal([&] { g.set_state(bad); }), "");
    EXPECT_EQ(g.state(), good);
  }
  zero[words] = 0x7fffffff;  // bits that the engine never looks at
  EXPECT_THROW(g.set_state(zero), Error);
  EXPECT_EQ(io::refusal([&] { g.set_state(with(place, 625)); }),
            "generator state: the place 625 is not in 0 to 624");
}

}  // namespace
}  // namespace napkin
