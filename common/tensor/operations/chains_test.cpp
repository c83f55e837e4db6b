// Thousands of random chains of views against a model that knows no strides, and writing through
// the views that result.
#include <gtest/gtest.h>

#include <random>

#include "common/tensor/create.h"
#include "common/tensor/overlap.h"
#include "common/tensor/testing/view_model.h"

namespace napkin {
namespace {

// A tensor and its model, changed together by random views.
class Walk {
 public:
  explicit Walk(std::uint32_t seed) : random_(seed) {
    static const std::vector<Index> shapes = {
        {},     {1},  {0},    {7},       {24},         {48},      {2, 3}, {3, 1},       {5, 4},
        {4, 0}, {12}, {6, 6}, {2, 3, 4}, {2, 1, 3, 2}, {4, 5, 3}, {8, 6}, {3, 2, 2, 2}, {10, 2}};
    model_.shape = shapes[static_cast<std::size_t>(number(0, 17))];
    each_index(model_.shape, [&](const Index&) { model_.places.push_back(count_++); });
    base_ = arange(count_);
    x_ = base_.view(dims(model_.shape));
  }

  const Tensor& base() const { return base_; }
  const Tensor& x() const { return x_; }
  const Model& model() const { return model_; }
  const std::string& story() const { return story_; }
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

  void step() {
    static constexpr void (Walk::*views[])() = {
        &Walk::transpose, &Walk::permute, &Walk::select, &Walk::slice, &Walk::expand,
        &Walk::unsqueeze, &Walk::squeeze, &Walk::unfold, &Walk::view,  &Walk::as_strided};
    (this->*views[number(0, 9)])();
  }

 private:
  std::size_t rank() const { return model_.shape.size(); }
  // A dimension counted from 0, and the same for the call: sometimes from the end.
  std::pair<std::size_t, int> dimension(std::size_t of_rank) {
    const std::int64_t d = number(0, static_cast<std::int64_t>(of_rank) - 1);
    const bool from_end = number(0, 2) == 0;
    return {static_cast<std::size_t>(d),
            static_cast<int>(from_end ? d - static_cast<std::int64_t>(of_rank) : d)};
  }
  void became(const Tensor& x, const Model& model, const std::string& what) {
    x_ = x;
    model_ = model;
    story_ += " " + what;
  }

  void transpose() {
    if (rank() == 0) return;
    const auto [a, a_given] = dimension(rank());
    const auto [b, b_given] = dimension(rank());
    Index shape = model_.shape;
    std::swap(shape[a], shape[b]);
    const auto source = [a = a, b = b](Index i) { return std::swap(i[a], i[b]), i; };
    became(x_.transpose(a_given, b_given), model_.from(shape, source), "transpose");
  }

  void permute() {
    std::vector<std::size_t> order;  // each new dimension goes in at a random place
    for (std::size_t d = 0; d < rank(); ++d)
      order.insert(order.begin() + number(0, static_cast<std::int64_t>(d)), d);
    Index shape;
    Dims given;
    for (const std::size_t d : order) {
      shape.push_back(model_.shape[d]);
      given.push_back(static_cast<std::int64_t>(d));
    }
    const auto source = [&](const Index& i) {
      Index from(i.size());
      for (std::size_t to = 0; to < i.size(); ++to) from[order[to]] = i[to];
      return from;
    };
    became(x_.permute(given), model_.from(shape, source), "permute");
  }

  void select() {
    if (rank() == 0) return;
    const auto [d, given] = dimension(rank());
    const std::int64_t size = model_.shape[d];
    if (size == 0) return;
    const std::int64_t chosen = number(0, size - 1);
    Index shape = model_.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d));
    const auto source = [&, d = d](Index i) {
      i.insert(i.begin() + static_cast<std::ptrdiff_t>(d), chosen);
      return i;
    };
    became(x_.select(given, number(0, 1) == 0 ? chosen : chosen - size), model_.from(shape, source),
           "select");
  }

  void slice() {
    if (rank() == 0) return;
    const auto [d, given] = dimension(rank());
    const std::int64_t size = model_.shape[d];
    const bool wild = number(0, 3) == 0;
    const std::int64_t start = wild ? number(-size - 2, size + 2) : number(0, 1);
    const std::int64_t stop = wild ? number(-size - 2, size + 2) : number(size - 1, size + 1);
    const std::int64_t step = number(1, 3);
    Index kept;  // as Python counts: from the end where negative, and only what exists
    for (std::int64_t i = std::max<std::int64_t>(0, start < 0 ? start + size : start);
         i < std::min(size, stop < 0 ? stop + size : stop); i += step)
      kept.push_back(i);
    Index shape = model_.shape;
    shape[d] = static_cast<std::int64_t>(kept.size());
    const auto source = [&, d = d](Index i) {
      i[d] = kept[static_cast<std::size_t>(i[d])];
      return i;
    };
    became(x_.slice(given, start, stop, step), model_.from(shape, source), "slice");
  }

  void expand() {
    if (model_.places.size() > 40 || rank() > 5) return;
    Index shape = model_.shape, given;
    for (std::int64_t& size : shape) {
      if (size == 1) size = std::max<std::int64_t>(0, number(-1, 4));
      given.push_back(number(0, 1) == 0 && size == model_.shape[given.size()] ? -1 : size);
    }
    if (number(0, 1) == 0) {
      shape.insert(shape.begin(), number(1, 2));
      given.insert(given.begin(), shape[0]);
    }
    const Index old = model_.shape;
    const auto source = [&](Index i) {
      i.erase(i.begin(), i.end() - static_cast<std::ptrdiff_t>(old.size()));
      for (std::size_t d = 0; d < i.size(); ++d)
        if (old[d] == 1) i[d] = 0;
      return i;
    };
    became(x_.expand(dims(given)), model_.from(shape, source), "expand");
  }

  void unsqueeze() {
    if (rank() > 6) return;
    const auto [d, given] = dimension(rank() + 1);
    const auto at = static_cast<std::ptrdiff_t>(d);
    Index shape = model_.shape;
    shape.insert(shape.begin() + at, 1);
    const auto source = [&](Index i) { return i.erase(i.begin() + at), i; };
    became(x_.unsqueeze(given), model_.from(shape, source), "unsqueeze");
  }

  void squeeze() {
    Index shape;
    for (const std::int64_t size : model_.shape)
      if (size != 1) shape.push_back(size);
    became(x_.squeeze(), Model{shape, model_.places}, "squeeze");  // the order stays
  }

  void unfold() {
    if (rank() == 0 || rank() > 5 || model_.places.size() > 60) return;
    const auto [d, given] = dimension(rank());
    const std::int64_t size = number(0, std::min<std::int64_t>(model_.shape[d], 5));
    const std::int64_t step = number(1, 4);
    std::int64_t windows = 0;
    while (windows * step + size <= model_.shape[d]) ++windows;
    Index shape = model_.shape;
    shape[d] = windows;
    shape.push_back(size);
    const auto source = [&, d = d](Index i) {
      i[d] = i[d] * step + i.back();
      i.pop_back();
      return i;
    };
    became(x_.unfold(given, size, step), model_.from(shape, source), "unfold");
  }

  // Merges neighbours, splits a size, or lays everything out in one line.
  void view() {
    Index shape = model_.shape;
    if (rank() > 1 && number(0, 2) == 0) {
      const auto d = static_cast<std::ptrdiff_t>(number(0, static_cast<std::int64_t>(rank()) - 2));
      shape[static_cast<std::size_t>(d)] *= shape[static_cast<std::size_t>(d) + 1];
      shape.erase(shape.begin() + d + 1);
    } else if (rank() > 0 && rank() < 6 && number(0, 1) == 0) {
      const std::size_t d = dimension(rank()).first;
      const std::int64_t factor = number(1, 3);
      if (shape[d] % factor != 0) return;
      shape[d] /= factor;
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(d), factor);
    } else {
      shape = {static_cast<std::int64_t>(model_.places.size())};
    }
    if (model_.has_strides(shape))
      became(x_.view(dims(shape)), Model{shape, model_.places}, "view");
    else
      EXPECT_THROW(x_.view(dims(shape)), Error) << story_ << to_string(dims(shape));
    EXPECT_EQ(x_.reshape(dims(shape)).shares_storage(x_), model_.has_strides(shape));
    EXPECT_EQ(x_.reshape(dims(shape)).to_vector<std::int64_t>(), model_.places);
  }

  void as_strided() {
    if (count_ == 0 || number(0, 1) == 0) return;
    Index shape, strides;
    std::int64_t highest = number(0, 2);
    const std::int64_t offset = highest;
    for (std::int64_t d = number(0, 3); d > 0; --d) {
      shape.push_back(number(1, 4));
      strides.push_back(number(0, 6));
      highest += (shape.back() - 1) * strides.back();
    }
    if (highest >= count_) {
      EXPECT_THROW(x_.as_strided(dims(shape), dims(strides), offset), Error);
      return;
    }
    Model model{shape, {}};
    each_index(shape, [&](const Index& i) {
      model.places.push_back(offset);
      for (std::size_t d = 0; d < i.size(); ++d) model.places.back() += i[d] * strides[d];
    });
    became(x_.as_strided(dims(shape), dims(strides), offset), model, "as_strided");
  }

  std::mt19937 random_;
  std::int64_t count_ = 0;
  Tensor base_, x_;  // the base counts 0, 1, ...: its elements are their places
  Model model_;
  std::string story_;
};

TEST(Chains, EveryViewFindsTheElementsOfThePlainModel) {
  for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
    Walk walk(seed);
    for (int n = 0; n < 6; ++n) {
      walk.step();
      const Tensor& x = walk.x();
      const Model& model = walk.model();
      SCOPED_TRACE(fmt::format("seed {}:{}", seed, walk.story()));
      ASSERT_EQ(x.shape(), dims(model.shape));
      ASSERT_EQ(x.to_vector<std::int64_t>(), model.places);
      ASSERT_TRUE(x.shares_storage(walk.base()));
      ASSERT_EQ(x.is_contiguous(), model.is_consecutive());
      ASSERT_EQ(is_dense(x.layout()), model.is_consecutive_when_sorted());
      ASSERT_EQ(may_overlap(x.layout()), model.shares_places());
      each_index(model.shape, [&](const Index& index) {
        ASSERT_EQ(position(x.layout(), dims(index)), model.at(index));
      });
    }
  }
}

// The elements of the base after `values` were written through the view, one after the other.
Index written(Index elements, const Index& places, const std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < places.size(); ++i)
    elements[static_cast<std::size_t>(places[i])] = values[i];
  return elements;
}

TEST(Chains, WritingThroughAViewChangesThoseElementsOfTheBaseAndNoOthers) {
  int refused = 0, of_many_elements = 0;
  for (std::uint32_t seed = 10'000; seed < 20'000; ++seed) {
    Walk walk(seed);
    const Tensor& base = walk.base();
    for (int n = 0; n < 5; ++n) walk.step();
    SCOPED_TRACE(fmt::format("seed {}:{}", seed, walk.story()));
    Tensor x = walk.x();
    const Model& model = walk.model();
    const Index before = base.to_vector<std::int64_t>();
    of_many_elements += model.places.size() > 3 ? 1 : 0;
    std::vector<std::int64_t> values(model.places.size());
    for (std::int64_t& value : values) value = walk.number(-1000, -1);
    if (model.shares_places()) {
      EXPECT_THROW(x.fill_(-5), Error);
      EXPECT_THROW(x.copy_(from_data(values, x.shape())), Error);
      ASSERT_EQ(base.to_vector<std::int64_t>(), before);
      ++refused;
      continue;
    }
    x.copy_(from_data(values, x.shape()));
    const Index copied = written(before, model.places, values);
    ASSERT_EQ(base.to_vector<std::int64_t>(), copied);
    x.fill_(-5);
    std::fill(values.begin(), values.end(), -5);
    ASSERT_EQ(base.to_vector<std::int64_t>(), written(copied, model.places, values));
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(of_many_elements, 3000);
}

}  // namespace
}  // namespace napkin
