// Patterns: what is read, by the compiler too, and why others are refused.
#include "common/einops/pattern_parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "common/einops/testing/pattern_survives.h"

namespace napkin::einops {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view h_given[] = {"h"};
constexpr Pattern heads = parse_pattern("b s (h d) -> b h s d", Form::rearrange, h_given);
static_assert(heads.ok() && heads.side_count == 2 && heads.left().dimensions == 3);
static_assert(heads.of(heads.left()).size() == 4 && heads.axes[3].dimension == 2);
constexpr Pattern typo = parse_pattern("b s (h d) -> b h s dd", Form::rearrange, h_given);
static_assert(typo.problem.reason == Reason::axis_only_left && typo.problem.axis == "d");

Problem problem(std::string_view text, Form form = Form::rearrange,
                std::vector<std::string_view> given = {}) {
  return parse_pattern(text, form, given).problem;
}

void expect(std::string_view text, Form form, std::vector<std::string_view> given, Reason reason,
            std::string_view axis) {
  const Problem p = problem(text, form, given);
  EXPECT_EQ(p.reason, reason) << text << ": " << reason_text(p, form);
  EXPECT_EQ(p.axis, axis) << text;
}

TEST(Pattern, DimensionsAreNamesOnesAndParentheses) {
  const Pattern p = parse_pattern("a 1 () (b 1 c) ... -> a b c ...", Form::reduce);
  ASSERT_EQ(p.problem.reason, Reason::two_unknown_sizes);
  EXPECT_EQ(p.left().dimensions, 5);
  ASSERT_EQ(p.of(p.left()).size(), 4U);
  EXPECT_EQ(p.axes[0].dimension, 0);
  EXPECT_EQ(p.axes[1].dimension, 3);
  EXPECT_EQ(p.axes[2].dimension, 3);
  EXPECT_EQ(p.left().ellipsis, 3);
  EXPECT_EQ(p.axes[3].dimension, 4);
}

TEST(Pattern, SpacesMatterOnlyBetweenNames) {
  for (const char* text : {"(a b)c->c a b", "  ( a  b ) c  ->  c a b ", "(a b)c ->c a b"})
    EXPECT_EQ(problem(text, Form::rearrange, {"a"}).reason, Reason::none) << text;
  EXPECT_EQ(problem("...a->a...").reason, Reason::invalid_name);
  EXPECT_EQ(problem("...(a)->(a)...").reason, Reason::none);
  expect("a\tb -> b a", Form::rearrange, {}, Reason::unknown_character, "\t");
  EXPECT_NE(reason_text(problem("a\tb -> b a"), Form::rearrange).find("'\\t'"), std::string::npos);
}

TEST(Pattern, NamesMayHaveLettersOfAnyScript) {
  EXPECT_EQ(problem("α 头 -> 头 α").reason, Reason::none);
  expect("a b → b a", Form::rearrange, {}, Reason::unknown_character, "→");
  EXPECT_EQ(problem("a\xff -> a\xff").reason, Reason::unknown_character);
  EXPECT_EQ(problem("a\xe5\xa4 -> a").reason, Reason::unknown_character);
}

TEST(Pattern, RefusalsNameTheAxis) {
  expect("b b c -> b c", Form::rearrange, {}, Reason::repeated_axis, "b");
  expect("h h -> h", Form::reduce, {}, Reason::repeated_axis, "h");
  expect("a b", Form::rearrange, {}, Reason::no_arrow, "");
  expect("a -> a -> a", Form::rearrange, {}, Reason::two_arrows, "->");
  expect("a, b -> a b", Form::rearrange, {}, Reason::unknown_character, ",");
  expect("(a (b)) -> a b", Form::rearrange, {}, Reason::nested_parentheses, "(");
  expect("(a b -> a b", Form::rearrange, {}, Reason::unbalanced_parentheses, "(");
  expect("a) b -> a b", Form::rearrange, {}, Reason::unbalanced_parentheses, ")");
  expect("a .. -> a", Form::rearrange, {}, Reason::stray_dots, ".");
  expect("... a ... -> a ...", Form::rearrange, {}, Reason::two_ellipses, "...");
  expect("_a -> _a", Form::rearrange, {}, Reason::invalid_name, "_a");
  expect("a_ -> a_", Form::rearrange, {}, Reason::invalid_name, "a_");
  expect("_ -> _", Form::rearrange, {}, Reason::invalid_name, "_");
  expect("2a -> 2a", Form::rearrange, {}, Reason::invalid_name, "2a");
  expect("a 0 -> a", Form::reduce, {}, Reason::invalid_number, "0");
  expect("a -> a 99999999999999999999", Form::repeat, {}, Reason::invalid_number,
         "99999999999999999999");
  expect("(a ...) -> a ...", Form::rearrange, {"a"}, Reason::ellipsis_in_parentheses, "...");
  expect(" -> ...", Form::rearrange, {}, Reason::ellipsis_only_right, "...");
  expect("... -> a", Form::rearrange, {}, Reason::ellipsis_only_left, "...");
  expect("a b -> a", Form::rearrange, {}, Reason::axis_only_left, "b");
  expect("a -> a b", Form::rearrange, {}, Reason::axis_only_right, "b");
  expect("a (b 2) -> a b", Form::rearrange, {}, Reason::number_not_allowed, "2");
  expect("a (b 2) -> a b 2", Form::reduce, {}, Reason::number_not_allowed, "2");
  expect("h w -> h w c", Form::repeat, {}, Reason::size_missing, "c");
  expect("a b -> a b", Form::rearrange, {"c"}, Reason::size_not_used, "c");
  expect("a b -> a b", Form::rearrange, {"a", "a"}, Reason::size_given_twice, "a");
  expect("(a b) -> a b", Form::rearrange, {}, Reason::two_unknown_sizes, "b");
}

TEST(Pattern, EinsumHasPlainNames) {
  expect("i i -> i", Form::einsum, {}, Reason::none, "");
  expect("... a b, ... b c -> ... a c", Form::einsum, {}, Reason::none, "");
  expect("ii -> i", Form::einsum, {}, Reason::axis_only_right, "i");
  expect("a -> a a", Form::einsum, {}, Reason::repeated_axis, "a");
  expect("(a b) -> a b", Form::einsum, {}, Reason::group_not_allowed, "b");
  expect("a 1 -> a", Form::einsum, {}, Reason::number_not_allowed, "1");
  expect("a () -> a", Form::einsum, {}, Reason::number_not_allowed, "1");
  expect("a 2 -> a", Form::einsum, {}, Reason::number_not_allowed, "2");
  expect("a -> a, a", Form::einsum, {}, Reason::unknown_character, ",");
}

TEST(Pattern, ShapesAreOneSide) {
  expect("batch _ _ seq", Form::shape, {}, Reason::none, "");
  expect("a a", Form::shape, {}, Reason::repeated_axis, "a");
  expect("a -> a", Form::shape, {}, Reason::unknown_character, "-");
  expect("(a b)", Form::shape, {}, Reason::group_not_allowed, "b");
}

TEST(Pattern, MoreAxesThanThereIsRoomForAreRefused) {
  std::string many;
  for (int i = 0; i < 200; ++i) many += "a" + std::to_string(i) + " ";
  EXPECT_EQ(problem(many + "-> ").reason, Reason::too_many_axes);
  EXPECT_EQ(problem(fmt::format("{:,>40}->", ""), Form::einsum).reason, Reason::too_many_axes);
}

// Words that patterns are made of, in any order: what is accepted fits together.
TEST(Pattern, AnyTextIsReadOrRefused) {
  const char* words[] = {"a",   "b",  "c", "d1", " ", " ", " ",  "(", ")",
                         "...", "->", ",", "1",  "2", "_", "\t", "é", "\xc3"};
  std::mt19937 random(3);
  const auto upto = [&](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n + 1));
  };
  int accepted = 0;
  for (int turn = 0; turn < 100000; ++turn) {
    std::string bytes(1, static_cast<char>(upto(4)));
    for (const int most : {3, 2}) {  // a shape, then sizes
      bytes += static_cast<char>(upto(most));
      for (int left = bytes.back(); left > 0; --left) bytes += static_cast<char>(upto(4));
    }
    for (int left = upto(5); left > 0; --left) bytes += words[random() % std::size(words)];
    if (bytes[0] != static_cast<char>(Form::shape)) bytes += "->";
    for (int left = upto(5); left > 0; --left) bytes += words[random() % std::size(words)];
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    accepted += pattern_survives({data, bytes.size()});
  }
  EXPECT_GT(accepted, 1000);
}

TEST(Pattern, EveryReasonHasItsSentence) {
  for (int r = 1; r <= static_cast<int>(Reason::two_unknown_sizes); ++r)
    EXPECT_NE(reason_text({static_cast<Reason>(r), "x", 3}, Form::einsum), "") << r;
}

}  // namespace
}  // namespace napkin::einops
