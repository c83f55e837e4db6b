// Counts of what really ran: the lecture's FLOPs, ratios and intensities (lecture 5 and 6).
#include "common/accounting/ledger.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/autograd/functions.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/matmul.h"

namespace napkin::accounting {
namespace {

using autograd::Variable;

double flops_of(const Shape& a, const Shape& b) {
  const Ledger ledger;
  matmul(zeros(a), zeros(b));
  return ledger.total().flops;
}

TEST(Ledger, AProductHasTwoFlopsForEachPairOfElements) {
  EXPECT_EQ(flops_of({64, 128}, {128, 256}), 4194304);
  EXPECT_EQ(flops_of({25, 16}, {16, 9}), 7200);
  EXPECT_EQ(flops_of({2, 25, 16}, {2, 16, 9}), 14400);
  EXPECT_EQ(flops_of({2, 25, 16}, {16, 9}), 14400);
  EXPECT_EQ(flops_of({3, 1, 4, 5}, {2, 5, 6}), 1440);  // a broadcast batch is there as often
}

struct Counted {
  Work forward, backward;
};

// Square layers without bias on `batch` rows, forward and backward.
Counted run_layers(int layers, std::int64_t width, std::int64_t batch, bool input_grad) {
  std::vector<Variable> weights;
  for (int l = 0; l < layers; ++l) weights.emplace_back(zeros({width, width}), true);
  Variable y(zeros({batch, width}), input_grad);
  const Ledger ledger;
  for (const Variable& w : weights) y = matmul(y, w);
  y.backward({.gradient = ones(y.shape())});
  return {ledger.of("matmul", Phase::forward), ledger.of("matmul", Phase::backward)};
}

// Lecture 5.3: twice the forward pass, less the gradient of the data, which nobody needs.
TEST(Ledger, TheBackwardPassIsTwiceTheForwardPassLessTheGradientOfData) {
  const auto ratio = [](int layers, bool input_grad) {
    const Counted c = run_layers(layers, 64, 32, input_grad);
    return c.backward.flops / c.forward.flops;
  };
  EXPECT_EQ(ratio(2, true), 2);
  EXPECT_EQ(ratio(2, false), 1.5);
  EXPECT_DOUBLE_EQ(ratio(3, false), 5.0 / 3);
  EXPECT_EQ(ratio(64, false), 1.984375);
  const Counted c = run_layers(8, 64, 32, false);
  EXPECT_EQ((c.forward.flops + c.backward.flops) / (8.0 * 64 * 64 * 32), 5.75);  // of N D
}

TEST(Ledger, AnMlpIsTheSumOfItsLayers) {
  const Ledger ledger;
  Variable y(zeros({1, 784}));
  for (const auto& [from, to] : {std::pair{784, 512}, {512, 512}, {512, 10}})
    y = matmul(y, Variable(zeros({from, to})));
  EXPECT_EQ(ledger.total().flops, 1337344);
  EXPECT_EQ(ledger.of("matmul").operations, 3);
}

// Lecture 6: FLOPs for each byte.
TEST(Ledger, IntensityIsFlopsForEachByte) {
  {
    const Ledger ledger;
    const Tensor y = zeros({1 << 16}) * 2;
    EXPECT_EQ(ledger.of("mul").intensity(), 0.125);
  }
  const auto of_product = [](std::int64_t n) {
    const Ledger ledger;
    matmul(zeros({n, n}, {.device = Device::meta}), zeros({n, n}, {.device = Device::meta}));
    return ledger.of("matmul").intensity();
  };
  EXPECT_DOUBLE_EQ(of_product(1024), 2.0 * 1024 / 12);
  EXPECT_EQ(of_product(2048) / of_product(1024), 2);
  EXPECT_TRUE(std::isnan(Work{}.intensity()));
}

TEST(Ledger, SectionsAndPhasesAreApart) {
  Ledger ledger;
  const Variable x(ones({2, 3})), w(ones({3, 4}), true);
  Variable y;
  {
    const Ledger::Section outer(ledger, "model");
    {
      const Ledger::Section inner(ledger, "product");
      y = matmul(x, w);
    }
    y = relu(y);
  }
  sum(y).backward();
  EXPECT_EQ(ledger.of_section("product").flops, 48);
  EXPECT_EQ(ledger.of_section("model").operations, 1);
  EXPECT_EQ(ledger.of("matmul", Phase::backward).flops, 48);  // of the weight alone
  EXPECT_EQ(ledger.total(Phase::forward).operations + ledger.total(Phase::backward).operations,
            ledger.total().operations);
  EXPECT_EQ(ledger.rows()[0].operation, "fill");  // x was made first
}

TEST(Ledger, SavedBytesAreThoseOfStoragesThatAreKept) {
  const Variable x(ones({8, 16}), true);
  const Variable w(zeros({16, 16}, {.category = Category::parameter}), true);
  const Ledger ledger;
  {
    const Variable y = relu(matmul(relu(matmul(x, w)), w));
    EXPECT_EQ(ledger.saved_bytes(false), 3 * 8 * 16 * 4);  // x and both results of relu
    EXPECT_EQ(ledger.saved_bytes(), 3 * 8 * 16 * 4 + 16 * 16 * 4);
  }
  EXPECT_EQ(ledger.saved_bytes(), 0);  // let go without a backward pass
  EXPECT_EQ(ledger.most_saved_bytes(), 3 * 8 * 16 * 4 + 16 * 16 * 4);
}

}  // namespace
}  // namespace napkin::accounting
