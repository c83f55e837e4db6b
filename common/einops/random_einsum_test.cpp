// Random einsums against loops over every index, and their plans against all other plans.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "common/core/joined.h"
#include "common/core/observer.h"
#include "common/core/warning.h"
#include "common/einops/einsum.h"
#include "common/einops/explain_einsum.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

struct Flops : Observer {
  double total = 0;
  void on(const OperationEvent& event) override { total += event.flops; }
};

// Every order of pairs of terms, by trying them all.
double fewest_flops(std::vector<std::vector<char>> terms, const std::string& result,
                    const std::map<char, int>& sizes) {
  if (terms.size() == 1) return 0;
  double best = 1e300;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      std::vector<std::vector<char>> rest;
      for (std::size_t k = 0; k < terms.size(); ++k)
        if (k != i && k != j) rest.push_back(terms[k]);
      std::vector<char> both = terms[i], kept;
      for (const char c : terms[j])
        if (std::ranges::count(both, c) == 0) both.push_back(c);
      double flops = 1;
      for (const char c : both) {
        flops *= sizes.at(c);
        bool needed = result.find(c) != std::string::npos;
        for (const auto& other : rest) needed = needed || std::ranges::count(other, c) > 0;
        if (needed) kept.push_back(c);
      }
      if (kept.size() < both.size()) flops *= 2;
      rest.push_back(kept);
      best = std::min(best, flops + fewest_flops(rest, result, sizes));
    }
  return best;
}

TEST(RandomEinsum, NoOrderIsCheaper) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 100; ++turn) {
    const std::map<char, int> sizes = {{'a', 2}, {'b', 3}, {'c', 5}, {'d', 7}, {'e', 11}};
    std::vector<std::vector<char>> terms(2 + random() % 4);
    std::vector<Shape> shapes;
    std::string pattern, result, used;
    for (auto& term : terms) {
      Shape shape;
      for (const auto& [name, size] : sizes)
        if (random() % 2) term.push_back(name), shape.push_back(size), used += name;
      for (const char c : term) pattern += std::string(1, c) + " ";
      pattern += ", ";
      shapes.push_back(shape);
    }
    pattern.resize(pattern.size() - 2);
    for (const auto& [name, size] : sizes)
      if (used.find(name) != std::string::npos && random() % 2)
        result += std::string(1, name) + " ";
    const EinsumPlan plan = explain_einsum(shapes, pattern + "-> " + result);
    double sums = 0;
    for (const EinsumStep& step : plan.steps)
      if (step.how == "sum") sums += step.flops;
    for (auto& term : terms)  // as they are once what is theirs alone is summed
      std::erase_if(term, [&](char c) {
        return std::ranges::count(used, c) == 1 && result.find(c) == std::string::npos;
      });
    ASSERT_EQ(plan.flops - sums, fewest_flops(terms, result, sizes)) << pattern << "-> " << result;
  }
}

// One random einsum: operands with few axes, some of them twice, in any layout.
struct Trial {
  static constexpr int count = 6;
  int size[count];
  std::vector<std::vector<int>> sides;
  std::vector<int> result;
  std::vector<Tensor> operands;
  std::string text;

  explicit Trial(std::mt19937& random) {
    for (int& s : size) s = random() % 40 == 0 ? 0 : 1 + static_cast<int>(random() % 3);
    const int many = random() % 20 == 0 ? 10 : 1 + static_cast<int>(random() % 4);
    std::vector<int> used;
    for (int i = 0; i < many; ++i) {
      std::vector<int>& side = sides.emplace_back();
      Shape shape;
      for (int left = static_cast<int>(random() % (many > 5 ? 3U : 5U)); left > 0; --left) {
        side.push_back(static_cast<int>(random() % count));
        shape.push_back(size[side.back()]);
        if (std::ranges::count(used, side.back()) == 0) used.push_back(side.back());
        text += fmt::format("ax{} ", side.back());
      }
      text += i + 1 < many ? ", " : "-> ";
      operands.push_back(laid_out(shape, random));
    }
    std::shuffle(used.begin(), used.end(), random);
    for (const int axis : used)
      if (random() % 2) result.push_back(axis);
    for (const int axis : result) text += fmt::format("ax{} ", axis);
  }

  static Tensor laid_out(const Shape& shape, std::mt19937& random) {
    std::vector<double> values;
    for (std::int64_t i = count_elements(shape); i > 0; --i)
      values.push_back(static_cast<double>(random() % 7) - 3);
    Tensor x = from_data(values, shape);
    Dims order, back = Dims(shape.size(), 0);
    for (int d = 0; d < shape.size(); ++d)
      order.insert(static_cast<int>(random() % static_cast<unsigned>(d + 1)), d);
    for (int d = 0; d < shape.size(); ++d) back[static_cast<int>(order[d])] = d;
    return x.permute(order).contiguous().permute(back);
  }

  static std::size_t place(const std::vector<int>& axes, const int* at, const int* sizes) {
    std::int64_t n = 0;
    for (const int axis : axes) n = n * sizes[axis] + at[axis];
    return static_cast<std::size_t>(n);
  }

  // Axes that nobody has are walked over as if of size 1.
  std::vector<double> expected() const {
    int extent[count];
    std::fill_n(extent, count, 1);
    for (const auto& side : sides)
      for (const int axis : side) extent[axis] = size[axis];
    std::size_t elements = 1, walks = 1;
    for (const int axis : result) elements *= static_cast<std::size_t>(size[axis]);
    for (const int e : extent) walks *= static_cast<std::size_t>(e);
    std::vector<std::vector<double>> data;
    for (const Tensor& x : operands) data.push_back(x.to_vector<double>());
    std::vector<double> want(elements, 0.0);
    for (std::size_t walk = 0; walk < walks; ++walk) {
      int at[count];
      std::size_t rest = walk;
      for (int i = 0; i < count; ++i) {
        at[i] = static_cast<int>(rest % static_cast<std::size_t>(extent[i]));
        rest /= static_cast<std::size_t>(extent[i]);
      }
      double product = 1;
      for (std::size_t k = 0; k < sides.size(); ++k) product *= data[k][place(sides[k], at, size)];
      want[place(result, at, size)] += product;
    }
    return want;
  }
};

TEST(RandomEinsum, IsWhatLoopsOverEveryIndexGive) {
  const WarningsTo nobody({});
  std::mt19937 random(11);
  for (int turn = 0; turn < 4000; ++turn) {
    const Trial trial(random);
    const Flops flops;
    const Tensor got = einsum(trial.operands, trial.text);
    std::vector<Shape> shapes;
    for (const Tensor& x : trial.operands) shapes.push_back(x.shape());
    const double told = explain_einsum(shapes, trial.text).flops;
    ASSERT_EQ(flops.total, told) << trial.text << joined(shapes, " ");
    ASSERT_EQ(got.to_vector<double>(), trial.expected()) << trial.text;
  }
}

}  // namespace
}  // namespace napkin
