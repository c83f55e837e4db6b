// Gradients of every function, against PyTorch's and against finite differences, in FP64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/autograd/functions.h"
#include "common/autograd/testing/programs.h"
#include "common/core/parallel.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"

namespace napkin::autograd {
namespace {

using programs::Leaf;
using programs::Program;

// The leaf's elements, row-major or with the dimensions in the opposite order in memory.
Tensor tensor_of(const Leaf& leaf, bool reversed) {
  const Tensor x = from_data(leaf.values, leaf.shape);
  if (!reversed) return x;
  Dims order;
  for (int d = x.rank() - 1; d >= 0; --d) order.push_back(d);
  return x.permute(order).contiguous().permute(order);
}

std::vector<Variable> leaves_of(const Program& program, bool reversed, bool requires_grad) {
  std::vector<Variable> leaves;
  for (const Leaf& leaf : program.leaves)
    leaves.emplace_back(tensor_of(leaf, reversed), requires_grad);
  return leaves;
}

// Gradients of the leaves for the program's gradient of its result; zeros where none came.
std::vector<std::vector<double>> gradients(const Program& program, bool reversed = false) {
  const std::vector<Variable> leaves = leaves_of(program, reversed, true);
  const Variable y = programs::run(program, leaves);
  y.backward({.gradient = from_data(program.gradient, y.shape())});
  std::vector<std::vector<double>> all;
  for (const Variable& x : leaves)
    all.push_back(x.grad().defined() ? x.grad().to_vector<double>()
                                     : std::vector<double>(static_cast<std::size_t>(x.numel())));
  return all;
}

void expect_equal(const Program& program, const std::vector<std::vector<double>>& got) {
  for (std::size_t k = 0; k < got.size(); ++k) {
    const std::vector<double>&a = got[k], &b = program.gradients[k];
    ASSERT_EQ(a.size(), b.size()) << to_string(program);
    double largest = 1;
    for (const double v : b) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_TRUE(std::abs(a[i] - b[i]) <= 1e-12 * largest)
          << to_string(program) << "leaf " << k << ", element " << i << ": " << a[i] << ", PyTorch "
          << b[i];
  }
}

TEST(Gradients, OfEveryFunctionEqualPyTorch) {
  for (const Program& program : programs::recorded("functions"))
    for (const bool reversed : {false, true}) {
      const bool needs_rows = program.steps[0].function == "view";
      if (!(reversed && needs_rows)) expect_equal(program, gradients(program, reversed));
    }
}

TEST(Gradients, OfRandomGraphsEqualPyTorch) {
  for (const Program& program : programs::recorded("graphs"))
    expect_equal(program, gradients(program));
}

// What the program's gradient makes of its result: the number whose derivatives are asked for.
double number(const Program& program) {
  const Variable y = programs::run(program, leaves_of(program, false, false));
  const auto values = y.value().to_vector<double>();
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) total += values[i] * program.gradient[i];
  return total;
}

// Where the slopes to both sides differ there is a corner, and no derivative to compare with.
void expect_slopes(Program program) {
  constexpr double h = 1e-6;
  const auto got = gradients(program);
  const double here = number(program);
  for (std::size_t k = 0; k < got.size(); ++k)
    for (std::size_t i = 0; i < got[k].size(); ++i) {
      double& x = program.leaves[k].values[i];
      const double at = x;
      x = at + h;
      const double above = number(program);
      x = at - h;
      const double below = number(program);
      x = at;
      const bool corner = !(std::abs((above - here) - (here - below)) <= 1e-3 * h);
      if (corner) continue;
      ASSERT_TRUE(std::abs(got[k][i] - (above - below) / (2 * h)) <=
                  1e-6 * std::max(1.0, std::abs(got[k][i])))
          << to_string(program) << "leaf " << k << ", element " << i << ": " << got[k][i]
          << ", by differences " << (above - below) / (2 * h);
    }
}

TEST(Gradients, OfEveryFunctionEqualFiniteDifferences) {
  for (const Program& program : programs::recorded("functions")) expect_slopes(program);
  // PyTorch refuses the gradient of a source that the index does not use up.
  expect_slopes({{{{3, 4}, std::vector<double>(12, 0.5)}, {{3, 3}, std::vector<double>(9, 0.25)}},
                 {{"scatter_add", {0, 1}, {1, 2, 0, 3, 3, 1}}},
                 {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                 {}});
}

// A function without its check is a failing test, and so is an operation without its function.
TEST(Gradients, EveryFunctionIsTried) {
  std::set<std::string> tried;
  for (const Program& program : programs::recorded("functions"))
    tried.insert(program.steps[0].function);
  EXPECT_EQ(tried, programs::functions());
  // What only compares or finds places has none; copies are Variable::to and clone.
  const std::set<std::string> without = {"eq", "ne",     "lt",     "le",   "gt",
                                         "ge", "argmax", "argmin", "copy", "fill"};
  for (const Operation& operation : operations()) {
    const std::string name(operation.name);
    EXPECT_NE(tried.contains(name), without.contains(name)) << name;
  }
}

TEST(Gradients, AreTheSameBitsAtAnyNumberOfThreads) {
  const auto step = [] {
    manual_seed(3);
    const Variable x(randn({300, 70})), w(randn({70, 130}), true), b(randn({130}), true);
    mean(softmax(gelu(matmul(x, w) + b), 1) * x.slice(1, 0, 1)).backward();
    return std::pair(w.grad().to_vector<float>(), b.grad().to_vector<float>());
  };
  const int before = threads();
  set_threads(1);
  const auto expected = step();
  for (const int n : {2, 8}) {
    set_threads(n);
    EXPECT_TRUE(step() == expected) << n << " threads";
  }
  set_threads(before);
}

}  // namespace
}  // namespace napkin::autograd
