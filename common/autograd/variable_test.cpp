// Leaves, accumulation, what is recorded and what is refused: PyTorch's rules.
#include "common/autograd/variable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/autograd/functions.h"
#include "common/core/observer.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/refused.h"

namespace napkin::autograd {
namespace {

std::vector<double> grad(const Variable& x) { return x.grad().to_vector<double>(); }
using Numbers = std::vector<double>;

Variable numbers(std::initializer_list<double> values) { return {from_data(values), true}; }

TEST(Variable, LeavesAndResults) {
  const Variable x = numbers({1, 2}), constant(from_data({3.0, 4.0}));
  const Variable y = x * constant;
  EXPECT_TRUE(x.is_leaf() && constant.is_leaf() && !y.is_leaf());
  EXPECT_TRUE(x.requires_grad() && y.requires_grad() && !constant.requires_grad());
  EXPECT_TRUE((constant * 2).is_leaf());  // nothing to record
  EXPECT_FALSE(y.detach().requires_grad());
  EXPECT_TRUE(y.detach().value().shares_storage(y.value()));
  expect_refused([&] { Variable(arange(3), true); },
                 {"only floating-point elements can require a gradient"});
  expect_refused([&] { y.set_requires_grad(false); }, {"the result of a function"});
  expect_refused([&] { Variable().value(); }, {"undefined Variable"});
}

TEST(Variable, GradientsAreAdded) {
  const Variable x = numbers({2, 3});
  sum(x * x).backward();
  EXPECT_EQ(grad(x), (Numbers{4, 6}));
  sum(x * 10).backward();
  EXPECT_EQ(grad(x), (Numbers{14, 16}));
  x.zero_grad();
  EXPECT_FALSE(x.grad().defined());
  const Variable y = x * 3;
  sum(y + y + x * y).backward();  // 6 + 6 x
  EXPECT_EQ(grad(x), (Numbers{18, 24}));
}

// Two leaves that get the very same gradient must not share it.
TEST(Variable, GradientsAreTheLeavesOwn) {
  const Variable a = numbers({1, 2}), b = numbers({3, 4});
  sum(a + b).backward();
  EXPECT_FALSE(a.grad().shares_storage(b.grad()));
  EXPECT_TRUE(a.grad().is_contiguous());  // not sum's number, expanded
  sum(a * 2).backward();
  EXPECT_EQ(grad(a), (Numbers{3, 3}));
  EXPECT_EQ(grad(b), (Numbers{1, 1}));
  const Tensor given = from_data({5.0, 6.0});
  a.zero_grad();
  a.backward({.gradient = given});  // of a leaf itself
  EXPECT_EQ(grad(a), (Numbers{5, 6}));
  EXPECT_FALSE(a.grad().shares_storage(given));
}

struct Names : Observer {
  void on(const OperationEvent& event) override { names.emplace_back(event.name); }
  auto count(const char* name) const { return std::count(names.begin(), names.end(), name); }
  std::vector<std::string> names;
};

TEST(Variable, OnlyWhatLeadsToALeafIsComputed) {
  const Variable x(ones({2, 3})), w(ones({3, 4}), true);
  const Variable y = matmul(x, w);
  Names seen;
  y.backward({.gradient = ones({2, 4})});
  EXPECT_EQ(seen.count("matmul"), 1);  // x's is left out
  EXPECT_FALSE(x.grad().defined());
}

// One product of all rows for the weight, rather than one for each of the batch and their sum.
TEST(Variable, AWeightsGradientIsOneProduct) {
  const Variable x(ones({2, 3, 5}), true), w(ones({5, 4}), true);
  const Variable y = matmul(x, w);
  Names seen;
  y.backward({.gradient = ones({2, 3, 4})});
  EXPECT_EQ(seen.count("matmul"), 2);
  EXPECT_EQ(seen.count("sum"), 0);
}

TEST(Variable, NoGradRecordsNothing) {
  const Variable x = numbers({1, 2});
  {
    const NoGrad scope;
    EXPECT_FALSE(grad_enabled());
    EXPECT_FALSE((x * 2).requires_grad());
    const NoGrad inner;
  }
  EXPECT_TRUE(grad_enabled());
  EXPECT_TRUE((x * 2).requires_grad());
}

TEST(Variable, RetainGradKeepsThatOfAResult) {
  const Variable x = numbers({1, 2}), y = x * 3;
  sum(y * y).backward();
  EXPECT_FALSE(y.grad().defined());
  const Variable z = x * 3;
  z.retain_grad();
  sum(z * z).backward();
  EXPECT_EQ(grad(z), (Numbers{6, 12}));
  expect_refused([&] { z.detach().retain_grad(); }, {"requires no gradient"});
}

TEST(Backward, ASecondTimeIsRefusedUnlessTheGraphWasRetained) {
  const Variable x = numbers({2}), y = x * x;
  y.backward({.retain_graph = true});
  y.backward();
  EXPECT_EQ(grad(x), (Numbers{8}));
  expect_refused([&] { y.backward(); }, {"a second time"});
  expect_refused([&] { (y * 2).backward(); }, {"retain_graph"});  // half of it is gone
  EXPECT_EQ(grad(x), (Numbers{8}));
}

TEST(Backward, NeedsAGradientToBeginWith) {
  const Variable x = numbers({1, 2});
  expect_refused([&] { (x * 2).backward(); }, {"backward of shape [2]"});
  expect_refused([&] { (x * 2).backward({.gradient = ones({3})}); }, {"has shape [3]"});
  expect_refused([&] { (x * 2).backward({.gradient = ones({2})}); }, {"fp32"});  // x is fp64
  expect_refused([&] { Variable(ones({1})).backward(); }, {"requires a gradient"});
  (x * 2).slice(0, 0, 1).backward();  // one element is a number
  EXPECT_EQ(grad(x), (Numbers{2, 0}));
}

TEST(Backward, WhatWasSavedMustNotBeWritten) {
  const Variable x = numbers({1, 2}), w = numbers({3, 4}), y = x * w;
  Tensor elements = w.value();
  elements.add_(1);
  expect_refused([&] { sum(y).backward(); }, {"has been written in place since"});
  EXPECT_FALSE(x.grad().defined() && w.grad().defined());
  const Variable z = x + w;  // saves nothing
  elements.add_(1);
  sum(z).backward();
  EXPECT_EQ(grad(w), (Numbers{1, 1}));
  const Variable e = exp(x);  // saves its result
  Tensor result = e.value();
  result.mul_(2);
  expect_refused([&] { sum(e).backward(); }, {"written in place"});
}

// A refusal leaves nothing behind for the next pass.
TEST(Backward, GoesOnAfterARefusal) {
  const Variable x = numbers({1, 2}), w = numbers({3, 4});
  const Variable good = x * x, bad = w * w;
  Tensor elements = w.value();
  elements.zero_();
  expect_refused([&] { sum(good + bad).backward({.retain_graph = true}); }, {"written"});
  x.zero_grad();
  sum(good).backward();
  EXPECT_EQ(grad(x), (Numbers{2, 4}));
}

TEST(Backward, OfALongChainNeedsNoDeepStack) {
  const Variable x = numbers({1});
  Variable y = x;
  for (int i = 0; i < 200000; ++i) y = y + 1;
  y.backward();
  EXPECT_EQ(grad(x), (Numbers{1}));
}

TEST(Backward, OfADiamondOfDiamondsTakesEachFunctionOnce) {
  const Variable x = numbers({1});
  Variable y = x;
  for (int i = 0; i < 50; ++i) y = y * 0.5 + y * 0.5;  // 2^50 paths
  y.backward();
  EXPECT_EQ(grad(x), (Numbers{1}));
}

TEST(Backward, ReturnsGradientsInTheOperandsTypes) {
  const Variable half(ones({2, 3}, {.dtype = DType::bf16}), true), whole(ones({3}), true);
  sum(half * whole).backward();
  EXPECT_EQ(half.grad().dtype(), DType::bf16);
  EXPECT_EQ(whole.grad().dtype(), DType::fp32);
  const Variable x(ones({2, 3}), true), w(ones({3, 2}), true);
  Variable y;
  {
    const Autocast scope(Device::cpu, DType::bf16);
    y = matmul(x, w);
    EXPECT_EQ(y.dtype(), DType::bf16);
    sum(y).backward();
  }
  EXPECT_EQ(w.grad().dtype(), DType::fp32);
  EXPECT_EQ(w.grad().to_vector<float>(), std::vector<float>(6, 2));
}

struct Work : Observer {
  void on(const OperationEvent& event) override {
    flops += event.flops;
    bytes += event.bytes_read + event.bytes_written;
  }
  double flops = 0;
  std::int64_t bytes = 0;
};

// A whole pass without data: shapes and counts as with them.
TEST(Backward, OnMetaCountsTheSame) {
  const auto work = [](Device device) {
    const Work done;
    const Variable x(zeros({8, 5}, {.device = device})), w(zeros({5, 7}, {.device = device}), true);
    const Tensor to = zeros({8, 1}, {.dtype = DType::int64, .device = device});
    const Variable y = log_softmax(gelu(matmul(x, w)), 1);
    mean(gather(y, 1, to)).backward();
    EXPECT_EQ(w.grad().shape(), w.shape());
    return std::pair(done.flops, done.bytes);
  };
  EXPECT_EQ(work(Device::meta), work(Device::cpu));
}

}  // namespace
}  // namespace napkin::autograd
