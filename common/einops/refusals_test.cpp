// What refusals of patterns and shapes say, word for word.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "common/einops/annotation.h"
#include "common/einops/einops.h"
#include "common/einops/einsum.h"
#include "common/einops/explain_einsum.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

template <class Call>
std::string said(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

std::string of_einsum(std::string_view pattern, std::vector<Shape> shapes) {
  return said([&] { explain_einsum(shapes, pattern); });
}

std::string of_rearrange(std::string_view pattern, const Shape& shape, AxisSizes sizes = {}) {
  return said([&] { rearrange(zeros(shape), pattern, sizes); });
}

TEST(Refusals, CountOperandsAndDimensions) {
  EXPECT_EQ(of_einsum("a, b -> a", {{3}}),
            "einsum \"a, b -> a\" of shape [3]: the pattern has 2 operands, 1 is given");
  EXPECT_EQ(of_einsum("a -> a", {}), "einsum \"a -> a\": the pattern has 1 operand, none is given");
  EXPECT_EQ(of_einsum("a -> a", {{3}, {4}}),
            "einsum \"a -> a\" of shapes [3], [4]: the pattern has 1 operand, 2 are given");
  EXPECT_EQ(of_einsum("a -> a", {{3, 4}}),
            "einsum \"a -> a\" of shape [3, 4]: operand 1 has 1 dimension in the pattern, its "
            "shape has 2");
  EXPECT_EQ(of_rearrange("a -> a", {2, 3}),
            "rearrange \"a -> a\" of shape [2, 3]: the left side has 1 dimension, the tensor has "
            "2");
}

TEST(Refusals, SayThatNamesArePartedByBlanks) {
  const std::string reason = " (names are parted by blanks: ab is one axis)";
  EXPECT_EQ(
      of_einsum("ab,bc->ac", {{2, 3}, {3, 4}}),
      "einsum \"ab,bc->ac\" of shapes [2, 3], [3, 4]: axis ac is on the right side only" + reason);
  EXPECT_EQ(of_rearrange("ab->ba", {2, 3}),
            "rearrange \"ab->ba\" of shape [2, 3]: axis ab is on the left side only" + reason);
  EXPECT_EQ(of_rearrange("ab -> ba", {2, 3}).find("blanks"), std::string::npos);
}

TEST(Refusals, SayThatEinsumHasNamesAlone) {
  EXPECT_EQ(of_einsum("a 2 -> a", {{2, 2}}),
            "einsum \"a 2 -> a\" of shape [2, 2]: 2 is no name; einsum takes names alone");
  EXPECT_EQ(of_einsum("a 1 -> a", {{2, 1}}),
            "einsum \"a 1 -> a\" of shape [2, 1]: 1 is no name; einsum takes names alone");
  EXPECT_EQ(of_einsum("a (b c) -> a", {{2, 2}}),
            "einsum \"a (b c) -> a\" of shape [2, 2]: einsum has no parentheses around several "
            "axes, as around c here");
}

TEST(Refusals, NameOnesByTheirPlace) {
  EXPECT_EQ(of_rearrange("a 1 -> a", {2, 3}),
            "rearrange \"a 1 -> a\" of shape [2, 3]: dimension 1 has size 3 where the pattern "
            "needs 1");
  EXPECT_EQ(of_rearrange("a (b c) -> a b c", {2, 3}, {{"b", 2}, {"c", 2}}),
            "rearrange \"a (b c) -> a b c\" of shape [2, 3] with b = 2, c = 2: dimension 1, (b c), "
            "has size 3 where the pattern needs 4");
}

TEST(Refusals, CountPositionsInCharacters) {
  EXPECT_EQ(of_rearrange("\u00e9 b \u2192 b", {2, 3}),
            "rearrange \"\u00e9 b \u2192 b\" of shape [2, 3]: unknown character '\u2192' at "
            "position 4");
  EXPECT_EQ(of_rearrange("\u5934 b) -> b", {2, 3}),
            "rearrange \"\u5934 b) -> b\" of shape [2, 3]: the ) at position 3 has no partner");
}

// What moves the cursor, colours a terminal or turns the direction of text is written as an escape.
TEST(Refusals, EscapeWhatCannotBeSeen) {
  EXPECT_EQ(of_rearrange("a\n\x1b[31m -> a", {2}),
            "rearrange \"a\\n\\x1b[31m -> a\" of shape [2]: unknown character '\\n' at position 1");
  EXPECT_EQ(of_einsum("a\r -> \"", {{2}}),
            "einsum \"a\\r -> \\\"\" of shape [2]: unknown character '\\r' at position 1");
  for (const char* bad : {"\t", "\x7f", "\xff", "\u202e", "\u009b"}) {
    const std::string pattern = fmt::format("a {} -> a", bad);
    for (const std::string& text :
         {of_rearrange(pattern, {2}), of_einsum(pattern, {{2}}),
          said([&] { parse_shape(zeros({2}), pattern); }), said([&] { reduction_named(pattern); }),
          of_rearrange("a -> a", {2}, {{bad, 2}}),
          said([&] { einsum(std::vector<Tensor>(40), pattern); })}) {
      EXPECT_EQ(text.find(bad), std::string::npos) << text;
      EXPECT_NE(text.find('\\'), std::string::npos) << text;
    }
  }
}

// "x0 x1 x2 ".
std::string axes(char name, int count, int first = 0) {
  std::string all;
  for (int i = first; i < first + count; ++i) all += fmt::format("{}{} ", name, i);
  return all;
}

TEST(Refusals, SayHowManyDimensionsThereCanBe) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const Shape ten(10, 1), fourteen(14, 1), sixteen(16, 1);
  has(of_einsum(axes('a', 10) + ", " + axes('b', 10) + "-> " + axes('a', 10) + axes('b', 10),
                {ten, ten}),
      "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]: the result has 20 dimensions; a tensor has at most 16");
  has(of_einsum("... a, b c -> b c ... a", {sixteen, {1, 1}}), "the result has 18 dimensions");
  const std::string p = axes('p', 5), q = axes('q', 5), r = axes('r', 5);
  has(of_einsum(axes('x', 6) + p + q + ", " + axes('x', 6, 6) + p + r + ", " + axes('x', 4, 12) +
                    q + r + "-> " + axes('x', 16),
                {sixteen, sixteen, fourteen}),
      " axes; at most 16 can be");
  const Tensor x = zeros(sixteen);
  const std::string pattern = axes('a', 16) + ", " + axes('a', 16) + "-> " + axes('a', 15);
  has(said([&] { einsum(x, x, pattern); }),
      "\": its operands, as they lie in memory, become matrices of 17 dimensions; at most 16 can "
      "be");
  has(of_rearrange("a -> a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", {2}),
      "the right side has 17 axes; a tensor has at most 16 dimensions");
  EXPECT_EQ(said([&] { Shape(std::vector<std::int64_t>(20, 2)); }),
            "20 dimensions; a tensor has at most 16 dimensions");
}

// Both sides of the limit, with an ellipsis where it counts.
TEST(Refusals, SixteenDimensionsAreAcceptedAndSeventeenRefused) {
  const Shape fifteen(15, 1), sixteen(16, 1);
  const std::string on_the_left = "the left side has 17 axes; a tensor has at most 16 dimensions",
                    on_the_right = "the right side has 17 axes; a tensor has at most 16 dimensions";
  const auto expect = [](const std::string& text, const std::string& wanted) {
    if (wanted == "accepted")
      EXPECT_EQ(text, wanted);
    else
      EXPECT_NE(text.find(wanted), std::string::npos) << text;
  };
  expect(of_rearrange("(a b) ... -> b a ...", fifteen, {{"a", 1}}), "accepted");
  expect(of_rearrange("(a b) ... -> (b a) ...", sixteen, {{"a", 1}}), on_the_left);
  expect(of_rearrange("... -> ... 1", fifteen), "accepted");
  expect(of_rearrange("... -> ... 1", sixteen), on_the_right);
  expect(of_rearrange("a ... -> ... a", sixteen), "accepted");
  expect(said([&] { repeat(zeros(fifteen), "... -> r ...", {{"r", 2}}); }), "accepted");
  expect(said([&] { repeat(zeros(sixteen), "... -> r ...", {{"r", 2}}); }), on_the_right);
  expect(said([&] { einsum(zeros(fifteen), zeros({2}), "..., b -> ... b"); }), "accepted");
  expect(said([&] { einsum(zeros(sixteen), zeros({2}), "..., b -> ... b"); }),
         "the result has 17 dimensions; a tensor has at most 16");
  expect(said([&] { einsum(zeros(sixteen), zeros({1}), "... b, b -> ... b"); }), "accepted");
}

TEST(Refusals, PlansPast64BitsAreNotCounted) {
  constexpr std::int64_t most = 9223372036854775807;
  const auto starts = [](const std::string& text, const std::string& with) {
    EXPECT_EQ(text.substr(0, with.size()), with);
    EXPECT_NE(text.find("2^63 - 1"), std::string::npos) << text;
  };
  starts(of_einsum("a, b, c -> a b c", {{3000000}, {3000000}, {3000000}}),
         "einsum \"a, b, c -> a b c\" of shapes [3000000], [3000000], [3000000]: the bytes that it "
         "moves are not counted: shape [3000000, 3000000, 3000000]: the product");
  starts(of_einsum("a, b -> a b", {{std::int64_t{1} << 31}, {std::int64_t{1} << 31}}),
         "einsum \"a, b -> a b\" of shapes [2147483648], [2147483648]: the bytes");
  starts(of_einsum("a b -> a", {{most, 0}}), "einsum \"a b -> a\" of shape [");
  starts(of_einsum("a b -> a", {{most, 2}}), "einsum \"a b -> a\" of shape [");
  EXPECT_EQ(of_einsum("a b -> a", {{-1, 2}}),
            "einsum \"a b -> a\" of shape [-1, 2]: operand 1 has a size of -1, less than 0");
  EXPECT_EQ(said([] { explain_einsum({{2}}, "a -> a", -4); }),
            "explain_einsum: elements of -4 bytes; at least 1 can be");
  EXPECT_EQ(explain_einsum({{1 << 29}, {1 << 29}}, "a, b -> a b").bytes,
            4 * ((std::int64_t{1} << 58) + (std::int64_t{1} << 30)));
}

TEST(Refusals, OfAnnotationsEndWhereTheyEnd) {
  const bool before = shape_checks();
  set_shape_checks(true);
  const Float<"b ... 4"> x = zeros({3, 4});
  EXPECT_EQ(said([&] {
              Shapes shapes("four", {{"x", x}, {"b", 2}});
            }),
            "four: axis b is 3 in x and 2 as given: x is [3, 4] as \"b ... 4\"");
  EXPECT_EQ(said([&] {
              Shapes shapes("four", {{"b", 2}, {"x", x}});
            }),
            "four: axis b is 2 as given and 3 in x: x is [3, 4] as \"b ... 4\"");
  EXPECT_EQ(said([&] {
              Shapes shapes("four", {{"b", 2}, {"b", 3}});
            }),
            "four: axis b is 2 as given and 3 as given");
  set_shape_checks(before);
}

}  // namespace
}  // namespace napkin
