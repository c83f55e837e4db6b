// The lecture's estimates (1.1, 5.1, 5.4, exercise 5) and what is refused.
#include "common/accounting/training_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/tensor/testing/refused.h"

namespace napkin::accounting {
namespace {

constexpr double h100 = 989.5e12, day = 86400;

TEST(TrainingTime, TheQuestionsOfTheLecture) {
  const SolvedPlan large = solve({70e9, 15e12, 1024, h100, 0.5, {}});
  EXPECT_EQ(large.solved, "seconds");
  EXPECT_EQ(large.flops(), 6.3e24);
  EXPECT_NEAR(large.seconds / day, 143.9, 0.05);
  const SolvedPlan small = solve({1e9, 20e9, 8, h100, 0.4, {}});
  EXPECT_NEAR(small.seconds / 3600, 10.5, 0.05);
  EXPECT_NEAR(6 * 175e9 * 300e9, 3.15e23, 1e18);
}

// Each of the six from the other five.
TEST(TrainingTime, AnyOneIsWorkedOut) {
  const TrainingPlan whole = {70e9, 15e12, 1024, h100, 0.5, 6.3e24 / (1024 * h100 * 0.5)};
  std::optional<double> TrainingPlan::*const members[] = {
      &TrainingPlan::parameters, &TrainingPlan::tokens, &TrainingPlan::devices,
      &TrainingPlan::peak,       &TrainingPlan::mfu,    &TrainingPlan::seconds};
  double SolvedPlan::*const solved[] = {&SolvedPlan::parameters, &SolvedPlan::tokens,
                                        &SolvedPlan::devices,    &SolvedPlan::peak,
                                        &SolvedPlan::mfu,        &SolvedPlan::seconds};
  for (std::size_t k = 0; k < 6; ++k) {
    TrainingPlan plan = whole;
    plan.*members[k] = std::nullopt;
    const double want = *(whole.*members[k]);
    EXPECT_NEAR(solve(plan).*solved[k], want, 1e-12 * want) << k;
  }
}

TEST(TrainingTime, Utilization) {
  const double n = 1.5e9, rate = 40000;
  EXPECT_NEAR(utilization(training_flops_per_token(n), rate, 1, h100), 0.364, 0.0005);
  EXPECT_NEAR(utilization(flops_per_token_with_recompute(n), rate, 1, h100), 0.485, 0.0005);
  EXPECT_NEAR(utilization(training_flops_per_token(n), rate, 1, 312e12), 1.154, 0.0005);
  // Four micro-batches of 16 x 1024 tokens in 2 s.
  EXPECT_NEAR(utilization(training_flops_per_token(124e6), 4 * 16 * 1024 / 2.0, 1, 312e12), 0.0781,
              0.00005);
  const Attention attention{12, 768, 1024};
  EXPECT_EQ(training_flops_per_token(124e6, attention) - training_flops_per_token(124e6),
            12.0 * 12 * 768 * 1024);
}

TEST(TrainingTime, WhatCannotBeWorkedOutIsRefused) {
  expect_refused([] { solve({70e9, 15e12, 1024, h100, {}, {}}); }, {"missing are mfu, seconds"});
  expect_refused([] { solve({70e9, 15e12, 1024, h100, 0.5, 1e7}); }, {"missing is none"});
  expect_refused([] { solve({0, 15e12, 1024, h100, 0.5, {}}); }, {"parameters 0"});
  expect_refused([] { solve({70e9, -1, 1024, h100, 0.5, {}}); }, {"tokens -1"});
  expect_refused([] { solve({70e9, NAN, 1024, h100, 0.5, {}}); }, {"tokens nan"});
  expect_refused([] { solve({70e9, HUGE_VAL, 1024, h100, 0.5, {}}); }, {"tokens inf"});
  expect_refused([] { solve({70e9, 15e12, 1024, h100, 1.5, {}}); }, {"mfu 1.5"});
  expect_refused([] { solve({70e9, 15e12, 1024, h100, {}, day}); }, {"more than the hardware"});
  expect_refused([] { solve({1e300, 1e300, 1, 1, 1, {}}); }, {"seconds inf"});
  expect_refused([] { utilization(6e9, 0, 1, h100); }, {"tokens per second 0"});
}

}  // namespace
}  // namespace napkin::accounting
