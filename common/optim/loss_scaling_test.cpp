// Loss scaling against PyTorch's GradScaler (reference/loss_scaling.py; lecture 3.5).
#include "common/optim/loss_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/core/warning.h"
#include "common/tensor/create.h"
#include "common/tensor/file.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Tensor> gradients(std::initializer_list<double> values) {
  return {from_data<float>({1, 2}), from_data(values).to(DType::fp32)};
}

// One whole step; whether the optimizer ran.
bool one_step(LossScaler& scaler, std::vector<Tensor> given) {
  scaler.unscale_(given);
  const bool ran = scaler.step([] {});
  scaler.update();
  return ran;
}

TEST(LossScaler, FollowsPyTorchsScalesGradientsAndSkippedSteps) {
  const auto stored = load_safetensors(NAPKIN_SOURCE "/reference/golden/loss_scaling.safetensors");
  int skipped = 0, steps = 0, changes = 0;
  for (const std::string run : {"defaults", "quick", "odd", "at_the_limit", "below_one"}) {
    const auto of = [&](const std::string& key) { return stored.at(run + "." + key); };
    const auto how = of("how").to_vector<double>();
    LossScaler scaler({static_cast<float>(how[0]), how[1], how[2], static_cast<int>(how[3])});
    for (std::int64_t step = 0; step < of("ran").numel(); ++step, ++steps) {
      std::vector<Tensor> given;
      for (const char* kind : {"fp32", "bf16", "fp64"})
        given.push_back(of(std::string(kind) + ".given")[step].clone());
      const float before = scaler.scale();
      bool ran = false;
      scaler.unscale_(given);
      const bool finite = !scaler.found_infinity();
      EXPECT_EQ(scaler.step([&] { ran = true; }), finite);
      scaler.update();
      EXPECT_EQ(ran, finite);
      EXPECT_EQ(ran, of("ran")[step].item().to_int64() == 1) << run << " " << step;
      for (const Tensor& g : given)
        EXPECT_EQ(
            recorded::difference(g, of(std::string(name(g.dtype())) + ".unscaled")[step].clone()),
            "")
            << run << " " << step;
      EXPECT_EQ(scaler.scale(), of("scale")[step].item().to_double()) << run << " " << step;
      EXPECT_EQ(scaler.good_steps(), of("good")[step].item().to_int64()) << run << " " << step;
      skipped += !ran;
      changes += scaler.scale() != before;
    }
  }
  EXPECT_EQ(steps, 200);
  EXPECT_GT(skipped, 50);
  EXPECT_GT(changes, 80);
}

TEST(LossScaler, SkipsTheStepOnOneInfinityOrNaNAnywhere) {
  for (const double bad : {infinity, -infinity, nan}) {
    LossScaler scaler;
    EXPECT_FALSE(one_step(scaler, gradients({1, 2, bad})));
    EXPECT_TRUE(scaler.found_infinity());
    EXPECT_EQ(scaler.scale(), 32768);
    EXPECT_TRUE(one_step(scaler, gradients({1, 2, 3e38})));
    EXPECT_FALSE(scaler.found_infinity());
    EXPECT_EQ(scaler.scale(), 32768);
  }
}

// Below 1 the scale makes gradients larger: what the step would see is judged (where PyTorch judges
// what came out of backward, and steps with infinity).
TEST(LossScaler, SkipsAStepThatOnlyTheDivisionMadeInfinite) {
  for (const double large : {3e38, -3e38}) {
    LossScaler scaler({.scale = 0.25});
    std::vector<Tensor> g = gradients({1, large, 2});
    scaler.unscale_(g);
    EXPECT_TRUE(scaler.found_infinity());
    EXPECT_FALSE(scaler.step([] { FAIL(); }));
  }
  LossScaler scaler({.scale = 0.25});
  EXPECT_TRUE(one_step(scaler, gradients({1, 3e38 / 4})));
}

TEST(LossScaler, TheScaleFallsToTheSmallestNormalNumberAndSaysSo) {
  std::vector<std::string> heard;
  const WarningsTo kept([&](const std::string& sentence) { heard.push_back(sentence); });
  LossScaler scaler;
  for (int step = 0; step < 142; ++step) EXPECT_FALSE(one_step(scaler, gradients({nan})));
  EXPECT_EQ(scaler.scale(), std::ldexp(1.0f, -126));
  EXPECT_TRUE(heard.empty());
  EXPECT_FALSE(one_step(scaler, gradients({nan})));
  EXPECT_EQ(scaler.scale(), std::ldexp(1.0f, -126));
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].find("1.1754944e-38"), std::string::npos) << heard[0];
  std::vector<Tensor> g = gradients({std::ldexp(1, -126), 0});
  scaler.unscale_(g);
  EXPECT_FALSE(scaler.found_infinity());
  EXPECT_EQ(g[1].to_vector<double>(), (std::vector<double>{1, 0}));
  scaler.update();
  EXPECT_EQ(LossScaler({.scale = scaler.scale()}).scale(),
            scaler.scale());  // the constructor agrees
}

// A gradient of 2^-30 is 0 in fp16; scaled by 2^16 it survives.
TEST(LossScaler, SavesWhatFp16WouldLose) {
  const double small = std::ldexp(1, -30);
  const Tensor loss = from_data<float>({static_cast<float>(small)});
  EXPECT_EQ(loss.to(DType::fp16).item(), Scalar(0.0));
  LossScaler scaler;
  std::vector<Tensor> g = {scaler.scale(loss).to(DType::fp16).to(DType::fp32)};
  scaler.unscale_(g);
  EXPECT_EQ(g[0].item(), Scalar(small));
}

TEST(LossScaler, AStaticScaleStaysButBadStepsAreSkipped) {
  LossScaler scaler({.scale = 1024, .growth_interval = 1, .is_dynamic = false});
  EXPECT_TRUE(one_step(scaler, gradients({1})));
  EXPECT_EQ(scaler.scale(), 1024);
  EXPECT_FALSE(one_step(scaler, gradients({infinity})));
  EXPECT_EQ(scaler.scale(), 1024);
}

TEST(LossScaler, GrowsAfterTheIntervalOfGoodSteps) {
  LossScaler scaler({.scale = 8, .growth_interval = 3});
  const float want[] = {8, 8, 16, 16, 16, 32};
  for (const float scale : want) {
    one_step(scaler, gradients({1}));
    EXPECT_EQ(scaler.scale(), scale);
  }
  one_step(scaler, gradients({1}));
  one_step(scaler, gradients({nan}));
  EXPECT_EQ(scaler.scale(), 16);
  EXPECT_EQ(scaler.good_steps(), 0);
}

TEST(LossScaler, TheScaledLossHasPyTorchsDType) {
  const LossScaler scaler;
  for (const DType d : {DType::fp16, DType::bf16, DType::fp32, DType::fp64}) {
    EXPECT_EQ(scaler.scale(ones({}, {d})).dtype(), d == DType::fp64 ? d : DType::fp32);
    EXPECT_EQ(scaler.scale(ones({3}, {d})).dtype(), d);
  }
  EXPECT_EQ(scaler.scale(full({}, 0.5, {DType::fp16})).item(), Scalar(32768.0));
}

TEST(LossScaler, TakesViewsAndGradientsWithoutElements) {
  Tensor x = full({4, 6}, 65536);
  std::vector<Tensor> g = {zeros({0, 3}), x.t().slice(0, 1, 6, 2), zeros({0})};
  LossScaler scaler;
  scaler.unscale_(g);
  EXPECT_FALSE(scaler.found_infinity());
  EXPECT_EQ(x.at({0, 0}), Scalar(65536.0));
  EXPECT_EQ(x.at({3, 1}), Scalar(1.0));
  std::vector<Tensor> none = {zeros({0})};
  scaler.update();
  EXPECT_TRUE(one_step(scaler, none));
  EXPECT_TRUE(one_step(scaler, {}));
}

TEST(LossScaler, OnMetaNothingIsInfinite) {
  LossScaler scaler({.growth_interval = 1});
  std::vector<Tensor> g = {empty({3}, {.device = Device::meta})};
  EXPECT_EQ(scaler.scale(g[0]).device(), Device::meta);
  EXPECT_TRUE(one_step(scaler, g));
  EXPECT_EQ(scaler.scale(), 131072);
}

TEST(LossScaler, RefusesStepsOutOfOrderAndWritesNothing) {
  LossScaler scaler;
  expect_refused([&] { scaler.update(); }, {"unscale_()"});
  expect_refused([&] { scaler.step([] {}); }, {"unscale_()"});
  std::vector<Tensor> g = gradients({65536});
  scaler.unscale_(g);
  expect_refused([&] { scaler.unscale_(g); }, {"since the last update()"});
  EXPECT_EQ(g[1].item(), Scalar(1.0));
  scaler.update();
  const std::vector<Tensor> bad = {ones({2}, {DType::fp16}), ones({2}, {DType::int64}),
                                   ones({1}).expand({4}), Tensor(),
                                   empty({2}, {.device = Device::meta})};
  for (const Tensor& one : bad) {
    std::vector<Tensor> list = {ones({2}), one};
    EXPECT_THROW(scaler.unscale_(list), Error);
    EXPECT_EQ(list[0].at({1}), Scalar(1.0));
  }
}

TEST(LossScaler, RefusesFactorsThatMakeNoSense) {
  expect_refused([] { LossScaler({.scale = 0}); }, {"0", "1.1754944e-38"});
  expect_refused([] { LossScaler({.scale = std::numeric_limits<float>::infinity()}); }, {"inf"});
  expect_refused([] { LossScaler({.scale = std::numeric_limits<float>::denorm_min()}); }, {"e-45"});
  expect_refused([] { LossScaler({.growth = 1}); }, {"1", "above 1"});
  expect_refused([] { LossScaler({.growth = nan}); }, {"nan"});
  expect_refused([] { LossScaler({.backoff = 1}); }, {"between 0 and 1"});
  expect_refused([] { LossScaler({.growth_interval = 0}); }, {"0 steps"});
}

}  // namespace
}  // namespace napkin
