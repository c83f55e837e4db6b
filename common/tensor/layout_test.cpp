// Layouts: counting with checked products, properties of strides, and what views refuse.
#include "common/tensor/layout.h"

#include <gtest/gtest.h>

#include <limits>

#include "common/tensor/overlap.h"
#include "common/tensor/testing/refused.h"
#include "common/tensor/views.h"

namespace napkin {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Layout contiguous(const Shape& shape) { return {shape, contiguous_strides(shape), 0}; }

TEST(Layout, ElementsAreCountedIn64Bits) {
  EXPECT_EQ(count_elements({65536, 65536}), 4294967296);  // 0 in 32 bits
  EXPECT_EQ(count_elements({}), 1);
  EXPECT_EQ(count_elements({3, 0, 5}), 0);
  EXPECT_EQ(count_elements({largest}), largest);
  EXPECT_EQ(count_elements({largest, 1, 0}), 0);
}

TEST(Layout, NegativeAndOverflowingSizesAreRefused) {
  expect_refused([] { count_elements({2, -3}); }, {"[2, -3]", "-3", "dimension 1", "0 or more"});
  expect_refused([] { count_elements({smallest}); }, {"-9223372036854775808", "negative"});
  expect_refused([] { count_elements({-2, -2}); }, {"[-2, -2]", "negative"});
  expect_refused(
      [] {
        count_elements({1LL << 32, 1LL << 31});
      },
      {"[4294967296, 2147483648]", "2^63 - 1"});
  expect_refused([] { count_elements({largest, largest, largest}); }, {"2^63 - 1"});
  // No elements, but strides that do not fit.
  expect_refused([] { count_elements({0, 1LL << 62, 1LL << 62}); }, {"2^63 - 1"});
  expect_refused([] { count_elements({-1, 0}); }, {"[-1, 0]", "negative"});
}

TEST(Layout, MoreThan16DimensionsAreRefused) {
  const Shape ones(16, 1);
  expect_refused([&] { unsqueeze(contiguous(ones), 0); }, {"16 dimensions"});
  expect_refused([&] { unfold(contiguous(ones), 0, 1, 1); }, {"16 dimensions"});
  expect_refused([] { Shape(17, 2); }, {"16 dimensions", "2"});
  expect_refused(
      [] {
        (Shape{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
      },
      {"16 dimensions"});
}

TEST(Layout, NumbersOfAListAreReadOnlyWhereTheyAre) {
  Strides strides = {12, 4, 1};
  strides[2] = 2;
  EXPECT_EQ(strides, Dims({12, 4, 2}));
  const Strides fixed = strides;
  for (const int i : {-1, 3, 16, 1 << 30}) {
    EXPECT_THROW(fixed[i], Error) << i;
    EXPECT_THROW(strides[i] = 1, Error) << i;
  }
  EXPECT_EQ(strides.size(), 3);
  EXPECT_THROW(Dims()[0], Error);
}

TEST(Layout, ContiguityIgnoresStridesThatAreNeverWalked) {
  EXPECT_TRUE(is_contiguous({{1, 5}, {99, 1}}));
  EXPECT_TRUE(is_contiguous({{2, 1, 64}, {64, 1, 1}}));
  EXPECT_TRUE(is_contiguous({{4, 1, 3}, {3, 50, 1}}));
  EXPECT_FALSE(is_contiguous({{1, 2, 3}, {6, 1, 2}}));
  EXPECT_TRUE(is_contiguous({{0, 3}, {7, 7}}));
  EXPECT_TRUE(is_contiguous({{}, {}}));
  EXPECT_FALSE(is_contiguous({{3}, {0}}));
  EXPECT_FALSE(is_contiguous({{3, 2}, {3, 1}}));
}

TEST(Layout, OverlapIsFoundExactly) {
  EXPECT_TRUE(may_overlap({{3}, {0}}));
  EXPECT_TRUE(may_overlap({{4, 2}, {1, 1}}));
  EXPECT_FALSE(may_overlap({{2, 3}, {3, 2}}));  // 0 2 4 3 5 7: interleaved, yet all different
  EXPECT_TRUE(may_overlap({{3, 4}, {3, 2}}));   // 2 x 3 = 3 x 2
  EXPECT_FALSE(may_overlap({{1, 3}, {0, 1}}));
  EXPECT_FALSE(may_overlap({{0, 3}, {0, 0}}));
  EXPECT_TRUE(may_overlap({{2, 2, 2}, {3, 5, 8}}));  // 3 + 5 = 8
  EXPECT_FALSE(may_overlap({{2, 2, 2}, {3, 5, 9}}));
  EXPECT_FALSE(may_overlap({{2, 1 << 20}, {largest / 2, 1 << 20}}));
  EXPECT_TRUE(may_overlap({{20, 2, 2}, {1LL << 40, 7LL << 40, 1}}));
  // Too long to find out: counts as overlapping.
  EXPECT_TRUE(may_overlap({{40, 204, 302, 55, 313, 707, 656, 177, 415, 268},
                           {34360466620, 537166455, 2148101966, 4295061693, 680781, 60145, 1572415,
                            1980323, 549756547837, 1943766}}));
}

// Every layout of up to three dimensions with small sizes and strides, against a list of places.
TEST(Layout, OverlapAndDensityOfAllSmallLayouts) {
  for (int code = 0; code < 4 * 4 * 4 * 8 * 8 * 8; ++code) {
    int rest = code;
    const auto digit = [&](int base) { return std::exchange(rest, rest / base) % base; };
    Layout layout;
    for (int d = 0; d < 3; ++d) layout.shape.push_back(digit(4) + 1);
    for (int d = 0; d < 3; ++d) layout.strides.push_back(digit(8));
    std::uint64_t seen = 0;  // one bit for each place: the highest is 3 x 3 x 7 = 63
    bool twice = false;
    for (std::int64_t i = 0; i < layout.shape[0]; ++i)
      for (std::int64_t j = 0; j < layout.shape[1]; ++j)
        for (std::int64_t k = 0; k < layout.shape[2]; ++k) {
          const std::uint64_t bit = 1ull << position(layout, {i, j, k});
          twice = twice || (seen & bit) != 0;
          seen |= bit;
        }
    const bool unbroken = (seen & (seen + 1)) == 0;
    ASSERT_EQ(may_overlap(layout), twice) << to_string(layout.shape) << to_string(layout.strides);
    ASSERT_EQ(is_dense(layout), unbroken && !twice)
        << to_string(layout.shape) << to_string(layout.strides);
  }
}

TEST(Layout, BroadcastTakesSize0FromSize1) {
  EXPECT_EQ(broadcast({0, 5}, {1, 5}), (Shape{0, 5}));
  EXPECT_EQ(broadcast({0}, {1}), (Shape{0}));
  EXPECT_EQ(broadcast({}, {0, 3}), (Shape{0, 3}));
  EXPECT_EQ(broadcast({4, 1, 3}, {2, 1}), (Shape{4, 2, 3}));
  EXPECT_EQ(broadcast({3}, {2, 1}), (Shape{2, 3}));
  EXPECT_EQ(broadcast({1}, {0}), (Shape{0}));
  expect_refused([] { broadcast({0}, {2}); }, {"[0]", "[2]"});
  expect_refused([] { broadcast({2}, {0}); }, {"[2]", "[0]"});
  expect_refused([] { broadcast({2, 3}, {3, 2}); }, {"[2, 3]", "[3, 2]", "neither is 1"});
}

TEST(Layout, IndicesOutOfRangeAreRefused) {
  const Layout x = contiguous({2, 3});
  EXPECT_EQ(position(x, {1, -1}), 5);
  expect_refused([&] { position(x, {1, 3}); }, {"index 3", "dimension 1", "[2, 3]", "0 to 2"});
  expect_refused([&] { position(x, {-3, 0}); }, {"index -3", "dimension 0", "-2 to -1"});
  expect_refused([&] { position(x, {smallest, 0}); }, {"-9223372036854775808"});
  expect_refused([&] { position(x, {1}); }, {"[1]", "[2, 3]", "needs 2"});
  expect_refused([] { position(contiguous({2, 0}), {0, 0}); }, {"no elements", "[2, 0]"});
  expect_refused([&] { select(x, 1, 3); }, {"index 3", "0 to 2"});
  expect_refused([&] { select({{}, {}}, 0, 0); }, {"0-dimensional"});
  expect_refused([&] { transpose(x, 0, 3); }, {"dimension 3", "2 dimensions", "0 to 1"});
  expect_refused([&] { wrap_dimension(1LL << 32, 2); }, {"4294967296"});
  expect_refused([&] { wrap_dimension(-1 - (1LL << 32), 2); }, {"-4294967297"});
  expect_refused([&] { permute(x, {0, (1LL << 32) + 1}); }, {"4294967297"});
  expect_refused([&] { permute(x, {0, 0}); }, {"[0, 0]", "twice"});
  expect_refused([&] { permute(x, {0}); }, {"[0]", "[2, 3]"});
}

TEST(Layout, ShapesThatDoNotFitAreRefusedWithBothShapes) {
  const Layout x = contiguous({4, 6});
  expect_refused([&] { view(x, {5, 5}); }, {"[5, 5]", "25", "24"});
  expect_refused([&] { view(x, {5, -1}); }, {"[5, -1]", "24"});
  expect_refused([&] { view(x, {-1, -1}); }, {"[-1, -1]", "only one"});
  expect_refused([&] { view(x, {-2, 12}); }, {"[-2, 12]", "-2", "dimension 0"});
  expect_refused([&] { view(x, {0, -1}); }, {"[0, -1]", "24"});
  expect_refused([&] { view(x, {1LL << 62, 4}); }, {"[4611686018427387904, 4]", "2^63 - 1"});
  expect_refused([] { view(contiguous({4, 0}), {0, -1}); }, {"[0, -1]", "any size"});
  EXPECT_EQ(view(contiguous({4, 0}), {37, -1}).shape, (Shape{37, 0}));
  EXPECT_EQ(view(contiguous({1, 1, 0}), {6, 0}).shape, (Shape{6, 0}));
  EXPECT_EQ(view(contiguous({0, 3}), {3, 0}).shape, (Shape{3, 0}));
  expect_refused([&] { view(transpose(x, 0, 1), {-1}); }, {"[24]", "[6, 4]", "[1, 6]", "reshape"});
  expect_refused([&] { expand(x, {2, 4, 12}); }, {"[4, 6]", "[2, 4, 12]", "only size 1"});
  expect_refused([&] { expand(x, {6}); }, {"[6]", "[4, 6]"});
  expect_refused([&] { expand(x, {-1, 4, 6}); }, {"[-1, 4, 6]", "is new"});
  expect_refused([] { expand(contiguous({1}), {-2}); }, {"-2", "negative"});
  expect_refused([] { expand(contiguous({1, 1}), {0, -2}); }, {"-2", "negative"});
  expect_refused([&] { flattened({2, 3, 4}, 2, 1); }, {"[2, 3, 4]", "2", "1"});
}

TEST(Layout, StepsAndWindowsOutOfRangeAreRefused) {
  const Layout x = contiguous({10});
  expect_refused([&] { slice(x, 0, 0, 10, 0); }, {"step 0", "1 or more"});
  expect_refused([&] { slice(x, 0, 10, 0, -2); }, {"step -2", "cannot be negative"});
  expect_refused([&] { unfold(x, 0, 11, 1); }, {"windows of 11", "0 to 10"});
  expect_refused([&] { unfold(x, 0, -1, 1); }, {"windows of -1"});
  expect_refused([&] { unfold(x, 0, 2, 0); }, {"step 0", "1 or more"});
  EXPECT_EQ(slice(x, 0, smallest, largest, 3).shape, (Shape{4}));
  EXPECT_EQ(slice(x, 0, 7, 3).shape, (Shape{0}));
  EXPECT_EQ(slice(x, 0, -3, largest, largest).shape, (Shape{1}));
}

TEST(Layout, StridedViewsStayInsideTheStorage) {
  expect_refused([] { as_strided({4}, {-2}, 7, 8); }, {"-2", "negative"});  // 7 5 3 1 is meant
  expect_refused([] { as_strided({5}, {-1}, 3, 5); }, {"-1", "negative"});
  expect_refused([] { as_strided({3, 3}, {3, 1}, 1, 9); }, {"[3, 3]", "position 9", "9 elements"});
  EXPECT_EQ(as_strided({3, 3}, {3, 1}, 0, 9).shape, (Shape{3, 3}));
  expect_refused([] { as_strided({2}, {1}, -1, 9); }, {"offset -1"});
  expect_refused([] { as_strided({2}, {1, 1}, 0, 9); }, {"[2]", "[1, 1]"});
  EXPECT_EQ(as_strided({0}, {5}, 100, 9).offset, 100);  // nothing to reach
  EXPECT_EQ(as_strided({1}, {largest}, 8, 9).rank(), 1);
}

TEST(Layout, ArithmeticPast63BitsIsRefused) {
  expect_refused([] { as_strided({3}, {1LL << 62}, 0, largest); }, {"4611686018427387904"});
  expect_refused([] { as_strided({2, 2}, {largest, largest}, 0, largest); }, {"2^63 - 1"});
  expect_refused([] { as_strided({2}, {largest}, 1, largest); }, {"2^63 - 1"});
  expect_refused([] { as_strided({2}, {largest}, largest, largest); }, {"2^63 - 1"});
  expect_refused([] { expand(contiguous({1, 1}), {1LL << 40, 1LL << 40}); }, {"2^63 - 1"});
  expect_refused([] { slice(contiguous({2, 4}), 0, 0, 2, 1LL << 62); }, {"4611686018427387904"});
  expect_refused([] { unfold(contiguous({1LL << 40}), 0, 1LL << 39, 1); }, {"2^63 - 1"});
  expect_refused([] { unfold(contiguous({2, 8}), 0, 1, 1LL << 62); }, {"2^63 - 1"});
  const Layout far = as_strided({2}, {largest - 1}, 0, largest);
  expect_refused([&] { unsqueeze(far, 0); }, {"2^63 - 1"});
  expect_refused([&] { expand(far, {1, 2}); }, {"2^63 - 1"});
  expect_refused([&] { view(far, {1, 2}); }, {"2^63 - 1"});
  const Layout lone = as_strided({1, 1}, {largest, largest}, 0, 1);
  expect_refused([&] { slice(slice(lone, 0, 1, 1), 1, 1, 1); }, {"2^63 - 1"});
}

TEST(Layout, TheLargestTensorHasAllViews) {
  const Layout x = contiguous({7, 73, largest / 511});  // 2^63 - 1 elements: 7 x 73 x ...
  EXPECT_EQ(count_elements(x.shape), largest);
  EXPECT_EQ(position(x, {-1, -1, -1}), largest - 1);
  EXPECT_EQ(view(x, {-1}).shape, (Shape{largest}));
  EXPECT_TRUE(is_dense(permute(x, {2, 0, 1})));
  EXPECT_FALSE(may_overlap(permute(x, {2, 0, 1})));
  EXPECT_EQ(slice(x, 2, -5, largest, 2).shape, (Shape{7, 73, 3}));
  EXPECT_EQ(position(select(x, 0, -1), {-1, -1}), largest - 1);
}

}  // namespace
}  // namespace napkin
