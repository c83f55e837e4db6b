// Thousands of random patterns against loops over every index, which know nothing of recipes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "common/einops/einops.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

using Group = std::vector<int>;  // axes 0, 1, ... of one dimension; empty: a 1

struct Draw {
  std::mt19937 random;
  int upto(int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); }

  std::vector<Group> groups(std::vector<int> axes) {
    std::vector<Group> all;
    for (std::size_t at = 0; at < axes.size();) {
      const std::size_t take =
          std::min(axes.size() - at, static_cast<std::size_t>(upto(9) == 0 ? 0 : 1 + upto(1)));
      all.emplace_back(axes.begin() + static_cast<long>(at),
                       axes.begin() + static_cast<long>(at + take));
      at += take;
    }
    return all;
  }
  std::vector<int> shuffled(std::vector<int> axes) {
    std::shuffle(axes.begin(), axes.end(), random);
    return axes;
  }
};

std::string name_of(int axis) { return fmt::format("ax{}", axis); }

std::string written(const std::vector<Group>& groups, Draw& draw) {
  std::string text;
  for (const Group& group : groups) {
    std::string inside;
    for (const int axis : group) inside += (inside.empty() ? "" : " ") + name_of(axis);
    if (group.size() == 1 && draw.upto(3) > 0)
      text += inside;
    else
      text += group.empty() && draw.upto(1) ? "1" : "(" + inside + ")";
    text += ' ';
  }
  return text;
}

std::int64_t index_in(const Group& group, const std::vector<int>& at,
                      const std::vector<int>& size) {
  std::int64_t index = 0;
  for (const int axis : group)
    index = index * size[static_cast<std::size_t>(axis)] + at[static_cast<std::size_t>(axis)];
  return index;
}

Shape shape_of(const std::vector<Group>& groups, const std::vector<int>& size) {
  Shape shape;
  for (const Group& group : groups) {
    std::int64_t n = 1;
    for (const int axis : group) n *= size[static_cast<std::size_t>(axis)];
    shape.push_back(n);
  }
  return shape;
}

std::size_t place(const std::vector<Group>& groups, const std::vector<int>& at,
                  const std::vector<int>& size) {
  const Shape shape = shape_of(groups, size);
  std::int64_t n = 0;
  for (std::size_t d = 0; d < groups.size(); ++d)
    n = n * shape[static_cast<int>(d)] + index_in(groups[d], at, size);
  return static_cast<std::size_t>(n);
}

// Calls f with every index of all axes.
template <class F>
void everywhere(const std::vector<int>& size, F f) {
  std::vector<int> at(size.size(), 0);
  if (std::ranges::count(size, 0) > 0) return;
  for (;;) {
    f(at);
    std::size_t d = size.size();
    while (d > 0 && ++at[d - 1] == size[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

// A pattern, what it is for, and the sizes it is given.
struct Trial {
  int how = 0;  // rearrange, reduce, repeat
  std::vector<int> size;
  std::vector<Group> from, to;
  std::vector<int> given;
  std::string text;

  explicit Trial(Draw& draw) : how(draw.upto(2)) {
    const int count = draw.upto(6);
    for (int i = 0; i < count; ++i) {
      size.push_back(draw.upto(30) == 0 ? 0 : 1 + draw.upto(3));
      given.push_back(i);
    }
    std::vector<int> left = draw.shuffled(given), right = draw.shuffled(given);
    std::vector<int>& shorter = how == 1 ? right : left;
    if (how > 0) shorter.resize(shorter.size() - static_cast<std::size_t>(draw.upto(count)));
    from = draw.groups(left);
    to = draw.groups(right);
    text = written(from, draw) + "-> " + written(to, draw);
    for (const Group& group : from) hide_one(group, draw);
  }

  // The size of one axis of a group may follow from the shape.
  void hide_one(const Group& group, Draw& draw) {
    if (group.empty() || draw.upto(1) == 0) return;
    const int one = group[static_cast<std::size_t>(draw.upto(static_cast<int>(group.size()) - 1))];
    for (const int other : group)
      if (other != one && size[static_cast<std::size_t>(other)] == 0) return;
    std::erase(given, one);
  }

  std::vector<double> expected(const std::vector<double>& source) const {
    std::vector<double> want(static_cast<std::size_t>(count_elements(shape_of(to, size))), 0.0);
    everywhere(size, [&](const std::vector<int>& at) {
      double& w = want[place(to, at, size)];
      w = (how == 1 ? w : 0) + source[place(from, at, size)];
    });
    return want;
  }

  Tensor result(const Tensor& x) const {
    std::vector<std::string> names;
    for (const int axis : given) names.push_back(name_of(axis));
    std::vector<AxisSize> sizes;
    for (std::size_t i = 0; i < given.size(); ++i)
      sizes.push_back({names[i], size[static_cast<std::size_t>(given[i])]});
    if (how == 1) return reduce(x, text, Reduction::sum, sizes);
    return how == 0 ? rearrange(x, text, sizes) : repeat(x, text, sizes);
  }
};

TEST(RandomPatterns, AreWhatLoopsOverEveryIndexGive) {
  Draw draw{std::mt19937(7)};
  for (int turn = 0; turn < 6000; ++turn) {
    const Trial trial(draw);
    const Shape shape = shape_of(trial.from, trial.size);
    Tensor x = arange(count_elements(shape), {.dtype = DType::fp64}).view(shape);
    if (draw.upto(1) && shape.size() > 1) x = x.transpose(0, -1).contiguous().transpose(0, -1);
    const Tensor got = trial.result(x);
    ASSERT_EQ(got.shape(), shape_of(trial.to, trial.size)) << trial.text;
    ASSERT_EQ(got.to_vector<double>(), trial.expected(x.to_vector<double>()))
        << trial.text << " of " << to_string(shape);
  }
}

}  // namespace
}  // namespace napkin
