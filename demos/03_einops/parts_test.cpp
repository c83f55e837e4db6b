// What the parts of demo 03 rest on, and what its subcommands write and refuse.
#include <gtest/gtest.h>

#include <sstream>

#include "common/core/traffic.h"
#include "common/einops/einops.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "demos/03_einops/annotated.h"
#include "demos/03_einops/heads.h"
#include "demos/03_einops/layouts.h"
#include "demos/03_einops/pictures.h"
#include "demos/03_einops/plans.h"
#include "demos/testing/what_if.h"

namespace napkin {
namespace {

TEST(Heads, OnlyTheRightSplitGivesTheAttentionOfTheLoops) {
  const HeadSizes n{2, 7, 3, 5};
  Generator generator(3);
  Tensor x[3];
  for (Tensor& one : x) one = randn({n.batch, n.seq, n.width()}, {}, generator);
  const Tensor truth = attention_by_loops(n, x[0], x[1], x[2]);
  const auto right = [&](const Tensor& t) {
    return rearrange(t, "b s (h d) -> b h s d", {{"h", n.heads}});
  };
  const auto wrong = [&](const Tensor& t) { return t.view({n.batch, n.heads, n.seq, n.dim}); };
  const Tensor good = attention(right(x[0]), right(x[1]), right(x[2]));
  const Tensor bad = attention(wrong(x[0]), wrong(x[1]), wrong(x[2]));
  EXPECT_LE(largest_difference(rearrange(good, "b h s d -> b s (h d)"), truth), 1e-5);
  EXPECT_GE(largest_difference(bad.reshape(truth.shape()), truth), 0.1);
}

TEST(Annotated, ScoresCheckAxesWhereAsked) {
  const Tensor q = zeros({2, 3, 4, 5}), other = zeros({2, 4, 3, 5});
  const bool before = shape_checks();
  set_shape_checks(true);
  EXPECT_EQ(refusal_of([&] { scores(q, zeros({2, 3, 6, 5})); }), "");
  const std::string sentence = refusal_of([&] { scores(q, other); });
  EXPECT_NE(sentence.find("axis heads"), std::string::npos) << sentence;
  set_shape_checks(before);
}

TEST(Lines, EinsumIsOneProductWithoutCopies) {
  const Tensor q = ones({2, 8, 5, 4}), k = ones({2, 8, 6, 4}), w = ones({4, 3});
  const auto expect_one = [](std::string_view pattern, const std::vector<Tensor>& operands) {
    const Ran ran = run_einsum(pattern, operands);
    EXPECT_EQ(ran.products, 1) << pattern;
    EXPECT_EQ(ran.operations, 1) << pattern;
  };
  expect_one("b h q_pos d, b h k_pos d -> b h q_pos k_pos", {q, k});
  expect_one("b h q d, d e -> b h q e", {q, w});
  expect_one("seq1 hidden, hidden seq2 -> seq1 seq2", {w, w.t()});
  EXPECT_EQ(run_einsum("a b, b c, c d -> a d", {w, w.t(), w}).products, 2);
}

TEST(Lines, ViewsMoveNothingAndCopiesOnce) {
  const Tensor x = ones({2, 5, 64}), image = ones({2, 3, 16, 16}), k = ones({2, 2, 5, 16});
  const auto moved = [](const std::function<Tensor()>& line) {
    const Traffic traffic;
    line();
    return traffic.moved();
  };
  EXPECT_EQ(moved([&] { return rearrange(x, "b s (h d) -> b h s d", {{"h", 8}}); }), 0);
  EXPECT_EQ(moved([&] { return repeat(k, "b kv s d -> b kv g s d", {{"g", 4}}); }), 0);
  EXPECT_EQ(
      moved([&] {
        return rearrange(image, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {{"p1", 8}, {"p2", 8}});
      }),
      2 * image.bytes());
}

// The column tells what the result takes, not what was read and written for it: elements x 4 bytes.
TEST_F(WhatIf, TablesShowTheBytesOfNewTensors) {
  const std::string page = run({"--section", "4.2"}).output;
  std::istringstream lines(page);
  int found = 0;
  for (std::string line; std::getline(lines, line);)
    for (const auto& [pattern, bytes] : {std::pair{"b s c -> s (b c) ", "2,560"},
                                         {"b kv s d -> b (kv g) s d ", "5,120"},
                                         {"b c (h p1) (w p2) -> b (h w) (p1 p2 c) ", "24,576"}})
      if (line.find(pattern) == 4) {
        ++found;
        EXPECT_TRUE(line.ends_with(std::string(" ") + bytes)) << line;
      }
  EXPECT_EQ(found, 3) << page;
}

TEST_F(WhatIf, RearrangeShowsTheViewAndItsElements) {
  const Words heads = {"rearrange", "b s (h d) -> b h s d", "--shape", "1,2,4", "--sizes", "h=2"};
  expect_value(heads,
               "{\"shape\":[1,2,2,2],\"strides\":[8,2,4,1],\"shares_storage\":true,"
               "\"data\":[0.0,1.0,4.0,5.0,2.0,3.0,6.0,7.0]");
  expect_value({"rearrange", "a b -> (b a)", "--shape", "2,2"},
               "\"shares_storage\":false,\"data\":[0.0,2.0,1.0,3.0]");
}

TEST_F(WhatIf, ReduceTakesEveryOperation) {
  const auto reduced = [](const char* how) {
    return Words{"reduce", "a b -> a", how, "--shape", "2,3"};
  };
  expect_value(reduced("sum"), "\"data\":[3.0,12.0]");
  expect_value(reduced("mean"), "\"data\":[1.0,4.0]");
  expect_value(reduced("max"), "\"data\":[2.0,5.0]");
  expect_value(reduced("min"), "\"data\":[0.0,3.0]");
  expect_value(reduced("prod"), "\"data\":[0.0,60.0]");
  expect_refusal(reduced("median"), "median");
}

TEST_F(WhatIf, RepeatIsAViewWhereNothingMerges) {
  expect_value({"repeat", "a -> a g", "--shape", "2", "--sizes", "g=2"},
               "{\"shape\":[2,2],\"strides\":[1,0],\"shares_storage\":true,"
               "\"data\":[0.0,0.0,1.0,1.0]");
  expect_value({"repeat", "a -> (a g)", "--shape", "2", "--sizes", "g=2"},
               "\"shares_storage\":false");
}

TEST_F(WhatIf, EinsumDrawsOperandsOneAfterTheOther) {
  Generator generator(4);
  const Tensor a = randn({2, 3}, {}, generator), b = randn({3, 1}, {}, generator);
  double first = 0;
  for (int k = 0; k < 3; ++k) first += a.at({0, k}).to_double() * b.at({k, 0}).to_double();
  const std::string found =
      values({"einsum", "i k, k j -> i j", "--shape", "2,3", "--shape", "3,1", "--seed", "4"});
  const auto data = found.find("\"data\":[");
  ASSERT_NE(data, std::string::npos) << found;
  EXPECT_NEAR(std::stod(found.substr(data + 8)), first, 1e-6);
  EXPECT_NE(found.find("\"flops\":12.0"), std::string::npos) << found;
  EXPECT_NE(found.find("\"bytes\":44,\"warnings\":[]"), std::string::npos) << found;
  EXPECT_NE(found.find("\"plan\":[\"ik,kj->ijbymatmul:12FLOPs\"]"), std::string::npos) << found;
  expect_value({"einsum", "a b, a -> a", "--shape", "2,3", "--shape", "2"},
               "\"warnings\":[\"axisboccursonceandissummedover:isitatypingmistake?\"]");
}

TEST_F(WhatIf, EinsumWarnsOnItsPageAndOnce) {
  const std::string said =
      run({"einsum", "out in, inn -> out", "--shape", "3,2", "--shape", "2"}).output;
  const auto found = said.find("axis inn occurs once");
  ASSERT_NE(found, std::string::npos) << said;
  EXPECT_EQ(said.find("inn", found + 20), std::string::npos) << said;
  EXPECT_EQ(said.find("warning:"), std::string::npos) << said;
}

TEST_F(WhatIf, EinsumTakesScalars) {
  expect_value({"einsum", "a, -> a", "--shape", "3", "--shape="}, "\"shape\":[3]");
  expect_value({"einsum", ", a -> a", "--shape=;3"}, "\"shape\":[3]");
  expect_refusal({"einsum", "a b -> b", "--shape=", "--shape=2,5"}, "a b -> b");
  expect_value({"repeat", "-> x", "--shape=", "--sizes", "x=3"}, "\"shape\":[3]");
}

TEST_F(WhatIf, PlacesPast2To24AreExact) {
  expect_line({"rearrange", "a b -> b a", "--shape", "3,8388609"},
              "0 8388609 16777218 1 8388610 16777219 ");
  expect_line({"reduce", "a b -> b", "mean", "--shape", "3,8388609"}, " 8388609 8388610 ");
  constexpr std::int64_t n = 3 * 8388609;
  expect_line({"reduce", "a b ->", "sum", "--shape", "3,8388609"},
              fmt::format("tensor({})", n * (n - 1) / 2));
}

TEST_F(WhatIf, SizesMayHaveBlanks) {
  expect_value({"repeat", "a -> a b c", "--shape", "2", "--sizes", "b=1, c=2"},
               "\"shape\":[2,1,2]");
  expect_value({"rearrange", "a b -> b a", "--shape", "2, 3"}, "\"shape\":[3,2]");
}

TEST_F(WhatIf, HelpHasAnExampleOfEachPattern) {
  expect_line({"rearrange", "--help"}, "\"b s (h d) -> b h s d\"");
  expect_line({"reduce", "--help"}, "\"b s d -> b d\"");
  expect_line({"repeat", "--help"}, "\"b kv s d -> b (kv g) s d\"");
  expect_line({"einsum", "--help"}, "\"b i k, b k j -> b i j\"");
}

// What a section says fits the inputs.
TEST_F(WhatIf, SectionsFollowTheirInputs) {
  const std::string same = "nothing can be mixed up";
  const auto times = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(times(run({"--section", "4.1"}).output, same), 0);
  EXPECT_EQ(times(run({"--section", "4.1", "--seq", "1"}).output, same), 2);
  EXPECT_EQ(times(run({"--section", "4.1", "--drawn", "3,1,2"}).output, same), 1);
  const std::string views = "even the merged repeat is a view";
  EXPECT_EQ(times(run({"--section", "4.2"}).output, views), 0);
  expect_line({"--section", "4.2", "--kv-heads", "1", "--batch", "1"}, views);
  expect_line({"--section", "4.2", "--kv-heads", "8"}, views);
  expect_line({"--section", "4.3", "--seq", "8"}, "two axes of one size, 8, cannot be told apart");
}

TEST_F(WhatIf, PlansShowPatternsShapesAndTheirWork) {
  const Words plans = {"--section", "4.2", "--chain", "2,3,4,5", "--misspelt", "7,6,5"};
  expect_line(plans, "einsum \"a b, b c, c d -> a d\" of (2, 3), (3, 4), (4, 5):");
  // From left to right is the cheaper way here: 2 x 2 x 3 x 4 and 2 x 2 x 4 x 5 FLOPs.
  expect_line(plans, "FLOPs 128, ");
  expect_line(plans, "From left to right it would be 128 FLOPs.");
  expect_line(plans, "einsum \"out in, inn -> out\" of (7, 6), (5):");
  expect_line(plans, "axis inn occurs once");
  EXPECT_EQ(counted(999'999'999'999'999), "999,999,999,999,999");
  EXPECT_EQ(counted(1e15), "1e15");
}

TEST_F(WhatIf, BigResultsAreNotListed) {
  EXPECT_NE(values({"rearrange", "a -> a", "--shape", "4096"}).find("\"data\""), std::string::npos);
  EXPECT_EQ(values({"rearrange", "a -> a", "--shape", "4097"}).find("\"data\""), std::string::npos);
}

TEST_F(WhatIf, ZeroSizesAreSizes) {
  expect_value({"rearrange", "(a b) c -> a b c", "--shape", "0,3", "--sizes", "a=2"},
               "\"shape\":[2,0,3]");
  expect_value({"repeat", "h w -> h w c", "--shape", "2,3", "--sizes", "c=0"}, "\"shape\":[2,3,0]");
  expect_refusal({"rearrange", "(a b) c -> a b c", "--shape", "4,3", "--sizes", "a=0"}, "a");
}

TEST_F(WhatIf, BadInputIsRefused) {
  expect_refusal({"rearrange", "a b -> b c", "--shape", "2,3"}, "a b -> b c");
  expect_refusal({"rearrange", "a b -> b a", "--shape", "2,-3"}, "--shape 2,-3: ");
  expect_refusal({"rearrange", "a b -> b a", "--shape", "100000,100000"},
                 "--shape 100000,100000: ");
  expect_refusal({"repeat", "a -> a g", "--shape", "2", "--sizes", "g=-1"}, "--sizes g=-1: ");
  expect_refusal({"repeat", "a -> a g", "--shape", "2", "--sizes", "g"}, "--sizes g: ");
  expect_refusal({"repeat", "a -> a g", "--shape", "2", "--sizes", "g=1000000000"}, "elements");
  expect_refusal({"einsum", "a b, b -> a", "--shape", "2,3"}, "a b, b -> a");
  expect_refusal({"einsum", "a b, b -> a", "--shape", "2,3", "--shape", "4"}, "b");
  expect_refusal({"einsum", "a b, b c -> a c", "--shape", "8000,8000", "--shape", "8000,8000"},
                 "FLOPs");
  expect_refusal({"einsum", "a, b -> a b", "--shape", "20000", "--shape", "20000"}, "1.6 GB");
  expect_refusal({"--seq", "0"}, "--seq 0: ");
  expect_refusal({"--heads", "-8"}, "--heads -8: ");
  expect_refusal({"--drawn", "3,2"}, "--drawn 3,2: ");
  expect_refusal({"--image", "1,1,12,32"}, "--patch 8: ");
  expect_refusal({"--image", "1,1,32,12"}, "--patch 8: ");
  expect_refusal({"--drawn", "1,9,1"}, "--drawn 1,9,1: ");
  expect_refusal({"--drawn", "1,2,7"}, "--drawn 1,2,7: ");
  expect_refusal({"--kv-heads", "3"}, "--kv-heads 3: ");
  expect_refusal({"--drawn", "64,1,2"}, "at most 8 heads, 12 numbers in a token and 64 in all");
  expect_refusal({"--drawn="}, "--drawn \"\": ");
  expect_refusal({"--chain", "1,2,3"}, "--chain 1,2,3: ");
  expect_refusal({"--chain", "1,2,3,1048577"}, "1 to 1,048,576");
  expect_refusal({"--misspelt", "1,0,3"}, "--misspelt 1,0,3: ");
  expect_refusal({"--seq", "1024"}, "--batch 2, --heads 8, --seq 1024, --dim 8: ");
  expect_refusal({"--kv-dim", "1024", "--seq", "128", "--dim", "1"}, "--kv-dim 1024: ");
}

// Which head of the source each number was in, told from its position: (head, dim) runs fastest.
TEST(Pictures, OfSplitsShowWhereEachNumberWas) {
  const HeadSizes one{1, 3, 2, 2};
  const Tensor x = arange(12).view({1, 3, 4});
  const auto picture =
      picture_of_splits(one, x, x.view({1, 2, 3, 2}), x.view({1, 3, 2, 2}).transpose(1, 2));
  ASSERT_EQ(picture.panels.size(), 3u);
  EXPECT_EQ(picture.groups.size(), 2u);
  const auto groups = [&](std::size_t panel, std::size_t row) {
    std::vector<std::size_t> all;
    for (const lecture::Cell& cell : picture.panels[panel].cells[row]) all.push_back(cell.group);
    return all;
  };
  using Groups = std::vector<std::size_t>;
  EXPECT_EQ(groups(0, 2), (Groups{0, 0, 1, 1}));        // a token: head 0, head 1
  EXPECT_EQ(groups(1, 0), (Groups{0, 0, 1, 1, 0, 0}));  // mixed up
  EXPECT_EQ(groups(2, 0), (Groups{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(picture.panels[2].cells[1][0].text, "2");
  EXPECT_EQ(picture.panels[2].rows[1], "head 1");
}

TEST(Pictures, OfPatchesPutEachPixelInItsPatch) {
  const Tensor image = arange(24).view({4, 6});
  const Tensor patches = rearrange(image, "(h p1) (w p2) -> (h w) (p1 p2)", {{"p1", 2}, {"p2", 2}});
  const auto picture = picture_of_patches(image, patches);
  const auto& pixels = picture.panels[0].cells;
  for (std::size_t y = 0; y < 4; ++y)
    for (std::size_t x = 0; x < 6; ++x)
      EXPECT_EQ(pixels[y][x].group, y / 2 * 3 + x / 2) << y << ", " << x;
  EXPECT_EQ(picture.panels[1].cells[5][3].text, "23");
  EXPECT_EQ(picture.panels[1].cells[5][3].group, 5u);
}

}  // namespace
}  // namespace napkin
