// Axes that are summed over because they were misspelt: who hears of them, and how often.
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "common/core/warning.h"
#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/einops/explain_einsum.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

using Sentences = std::vector<std::string>;

struct Heard {
  Sentences sentences;
  WarningsTo scope{[this](const std::string& s) { sentences.push_back(s); }};
};

bool has(const std::string& said, const char* words) {
  return said.find(words) != std::string::npos;
}

TEST(EinsumWarning, NamesThePatternAndItsAxes) {
  const Tensor weight = ones({3, 2}), in = ones({2});
  Heard heard;
  EXPECT_EQ(einsum(weight, in, "out in, in -> out").to_vector<double>(),
            (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(heard.sentences, Sentences{});
  EXPECT_EQ(einsum(weight, in, "out in, inn -> out").to_vector<double>(),
            (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(einsum(ones({1, 2, 1}), in, "a b c, b -> b a").numel(), 2);
  EXPECT_EQ(heard.sentences,
            (Sentences{"einsum \"out in, inn -> out\": axes in, inn each occur once and are summed "
                       "over: a typing mistake? If not, reduce that operand first",
                       "einsum \"a b c, b -> b a\": axis c occurs once and is summed over: a "
                       "typing mistake? If not, reduce that operand first"}));
}

TEST(EinsumWarning, GoesToStderr) {
  testing::internal::CaptureStderr();
  einsum(ones({3, 2}), ones({2}), "stderr a, b -> a");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("warning: einsum \"stderr a, b -> a\": axes stderr, b ")) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1);
}

TEST(EinsumWarning, ComesOnceForAPatternOfAnyShape) {
  Heard heard;
  for (int turn = 0; turn < 3; ++turn)
    for (const std::int64_t n : {2, 3, 4}) einsum(ones({n, 2}), ones({n, 2}), "once a, b a -> a");
  EXPECT_EQ(heard.sentences.size(), 1U);
}

TEST(EinsumWarning, ComesOnceForAllThreads) {
  Heard heard;
  std::vector<std::thread> team;
  for (int i = 0; i < 4; ++i)
    team.emplace_back([] {
      for (int k = 0; k < 50; ++k) einsum(ones({3, 2}), ones({2, 3}), "threads a, a b -> b");
    });
  for (std::thread& t : team) t.join();
  EXPECT_EQ(heard.sentences.size(), 1U);
}

TEST(EinsumWarning, ComesEveryTimeWhereTheHandlerRefuses) {
  const Tensor x = ones({3, 2});
  {
    const WarningsTo refuses([](const std::string& s) { throw std::runtime_error(s); });
    for (int turn = 0; turn < 2; ++turn)
      EXPECT_THROW(einsum(x, x.t(), "refused a, a b -> b"), std::runtime_error);
  }
  Heard heard;
  EXPECT_EQ(einsum(x, x.t(), "refused a, a b -> b").shape(), Shape{3});
  EXPECT_EQ(heard.sentences.size(), 1U);
}

TEST(EinsumWarning, IsNotForWhatIsMeant) {
  const Tensor x = ones({3, 2});
  Heard heard;
  einsum(x, "a summed -> a");  // one operand: a sum, and nothing else
  einsum(ones({4, 2}), ones({2}), "... a, a -> a");
  einsum(ones({3, 3}), x[0], "meant meant, a -> a");
  einsum(reduce(x, "a summed -> a", Reduction::sum), x, "a, a b -> b");
  einsum(ones({1, 2}), x, "wide a, wide b -> a b");
  EXPECT_EQ(heard.sentences, Sentences{});
}

TEST(EinsumWarning, IsAlsoInThePlan) {
  EXPECT_TRUE(explain_einsum({{3, 2}, {2}}, "out in, in -> out").warnings.empty());
  Heard heard;
  const EinsumPlan plan = explain_einsum({{3, 2}, {2}}, "out in, inn -> out");
  ASSERT_EQ(plan.warnings.size(), 2U);
  EXPECT_TRUE(has(plan.warnings[0].sentence(), "axis in "));
  EXPECT_TRUE(has(plan.warnings[1].sentence(), "axis inn "));
  EXPECT_TRUE(explain_einsum({{3, 3}}, "i i ->").warnings.empty());
  EXPECT_TRUE(explain_einsum({{3, 3}}, "a b -> a").warnings.empty());
  ASSERT_EQ(plan.steps.size(), 3U);
  EXPECT_EQ(plan.steps[0].sentence(), "out in -> out by sum: 3 FLOPs");
  EXPECT_EQ(plan.steps[1].sentence(), "inn -> () by sum: 1 FLOP");
  EXPECT_EQ(plan.steps[2].sentence(), "out, () -> out by multiplication: 3 FLOPs");
  EXPECT_EQ(explain_einsum({{2, 1}, {3, 4}}, "a b, b c -> a c").warnings.size(), 1U);
  EXPECT_EQ(explain_einsum({{2, 1}, {3, 4}}, "a b, b c -> a c").warnings.at(0).sentence(),
            "axis b has size 1 in operand 1 and 3 elsewhere");
  EXPECT_EQ(heard.sentences, Sentences{});
}

}  // namespace
}  // namespace napkin
