// rearrange, reduce, repeat and parse_shape (lecture 4.2): the answers of einops 0.8.2, views, and
// what a refusal says.
#include "common/einops/einops.h"

#include <gtest/gtest.h>

#include "common/core/observer.h"
#include "common/einops/testing/recorded_patterns.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

Tensor counting(const Shape& shape) {
  return arange(count_elements(shape), {.dtype = DType::fp32}).view(shape);
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

#define EXPECT_REFUSED(expression, ...)                                             \
  do {                                                                              \
    const std::string said = refusal([&] { expression; });                          \
    for (const char* word : {__VA_ARGS__})                                          \
      EXPECT_NE(said.find(word), std::string::npos) << #expression << ": " << said; \
  } while (false)

TEST(Einops, AnswersAsEinopsDoes) {
  using recorded::Case, recorded::pattern, recorded::sizes;
  const auto word = [](const Case& c, std::size_t k) { return c.get<std::string>(k); };
  const recorded::Operations operations = {
      {"rearrange", [&](const Case& c) { return rearrange(c.tensor(0), pattern(c), sizes(c)); }},
      {"repeat", [&](const Case& c) { return repeat(c.tensor(0), pattern(c), sizes(c)); }},
      {"reduce",
       [&](const Case& c) {
         return reduce(c.tensor(0), pattern(c), reduction_named(word(c, 2)), sizes(c));
       }},
      {"parse_shape", [&](const Case& c) {
         std::vector<std::int64_t> flat;
         for (const auto& [name, size] : parse_shape(c.tensor(0), pattern(c))) {
           flat.push_back(name[0]);
           flat.push_back(size);
         }
         return from_data(flat, {static_cast<std::int64_t>(flat.size())});
       }}};
  const recorded::Verdict verdict = recorded::compare("named_axes", operations);
  EXPECT_GE(verdict.checked, 450);
  for (const std::string& wrong : verdict.wrong) ADD_FAILURE() << wrong;
}

TEST(Einops, AxisTwiceOnOneSideIsRefusedEvenWhereSizesAreEqual) {
  EXPECT_REFUSED(rearrange(counting({3, 3, 4}), "b b c -> b c"), "b b c -> b c", "[3, 3, 4]",
                 "axis b");
  EXPECT_REFUSED(reduce(counting({3, 3}), "h h -> h", Reduction::sum), "axis h");
}

TEST(Einops, RefusalsSayOnWhichSideTheEllipsisIs) {
  EXPECT_REFUSED(rearrange(counting({3}), " -> ..."), "ellipsis", "right side only");
  EXPECT_REFUSED(rearrange(counting({3}), "... -> a"), "ellipsis", "left side only");
}

TEST(Einops, NewAxesNeedSizes) {
  EXPECT_REFUSED(repeat(counting({2, 3}), "h w -> h w c"), "h w -> h w c", "[2, 3]", "axis c");
  EXPECT_EQ(repeat(counting({2, 3}), "h w -> h w c", {{"c", 2}}).shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(repeat(counting({2, 3}), "h w -> h w c", {{"c", 0}}).shape(), (Shape{2, 3, 0}));
  EXPECT_REFUSED(repeat(counting({2, 3}), "h w -> h w c", {{"c", -1}}), "axis c", "-1");
}

TEST(Einops, TabsAreRefusedByTheirCode) {
  EXPECT_REFUSED(rearrange(counting({2, 3}), "a\tb -> b a"), "a\\tb", "'\\t'", "position 1");
  EXPECT_EQ(rearrange(counting({2, 3}), "a b->b a").shape(), (Shape{3, 2}));
}

TEST(Einops, SizesThatDoNotDivideAreRefused) {
  EXPECT_REFUSED(rearrange(counting({16, 11, 11}), "b (r h) l -> b l h r", {{"r", 2}}),
                 "[16, 11, 11]", "r = 2", "axis h", "11", "multiple of 2");
  EXPECT_REFUSED(rearrange(counting({1, 3}), "(b f) d -> b f d", {{"f", 16}}), "f = 16", "axis b",
                 "size 1", "16");
}

TEST(Einops, ZeroSizesAreSizes) {
  EXPECT_EQ(rearrange(counting({0, 0}), "... -> 1 ...").shape(), (Shape{1, 0, 0}));
  const char* pattern = "(a b) c -> a b c";
  EXPECT_EQ(rearrange(counting({0, 3}), pattern, {{"a", 2}}).shape(), (Shape{2, 0, 3}));
  EXPECT_REFUSED(rearrange(counting({0, 3}), pattern, {{"a", 0}}), "a = 0", "axis b");
  EXPECT_REFUSED(rearrange(counting({4, 3}), pattern, {{"a", 0}}), "a = 0", "axis b");
  EXPECT_REFUSED(rearrange(counting({4, 3}), pattern, {{"a", -2}}), "a = -2", "axis a");
  EXPECT_EQ(rearrange(counting({0, 3}), pattern, {{"a", 0}, {"b", 7}}).shape(), (Shape{0, 7, 3}));
}

TEST(Einops, SizesMustBelongToAnAxis) {
  EXPECT_REFUSED(rearrange(counting({2, 3}), "a b -> a b", {{"c", 2}}), "c");
  EXPECT_REFUSED(rearrange(counting({2, 3}), "a b -> a b", {{"a", 2}, {"a", 2}}), "two sizes", "a");
  EXPECT_REFUSED(rearrange(counting({2, 3}), "a b -> a b", {{"b", 4}}), "(b)", "3", "4");
  EXPECT_EQ(rearrange(counting({2, 1}), "a 1 -> a").shape(), (Shape{2}));
  EXPECT_EQ(rearrange(counting({2, 1}), "a () -> a").shape(), (Shape{2}));
  EXPECT_REFUSED(rearrange(counting({2, 3}), "a 1 -> a"), "3", "1");
}

TEST(Einops, MeansOfIntegersAreRefusedNeverCut) {
  const Tensor x = from_data(std::vector<std::int32_t>{1, 2, 3, 4}, {2, 2});
  EXPECT_REFUSED(reduce(x, "a b -> a", Reduction::mean), "a b -> a", "[2, 2]", "mean");
  EXPECT_EQ(reduce(x.to(DType::bf16), "a b -> a", Reduction::mean).to_vector<double>(),
            (std::vector<double>{1.5, 3.5}));
}

TEST(Einops, RanksAndProductsTooLargeAreRefused) {
  EXPECT_REFUSED(rearrange(counting({2, 3}), "a -> a"), "1 dimension,", "has 2");
  EXPECT_REFUSED(rearrange(counting({2}), "a b ... -> a b ..."), "at least 2", "has 1");
  EXPECT_REFUSED(repeat(counting({2}), "a -> (a b)", {{"b", std::int64_t{1} << 62}}), "a -> (a b)");
  EXPECT_REFUSED(
      rearrange(counting({1}),
                "(a b c d e f g h i j k l m n o p q) -> a b c d e f g h i j k l m n o p q",
                {{"b", 1},
                 {"c", 1},
                 {"d", 1},
                 {"e", 1},
                 {"f", 1},
                 {"g", 1},
                 {"h", 1},
                 {"i", 1},
                 {"j", 1},
                 {"k", 1},
                 {"l", 1},
                 {"m", 1},
                 {"n", 1},
                 {"o", 1},
                 {"p", 1},
                 {"q", 1}}),
      "16");
}

struct Operations : Observer {
  std::vector<std::string> names;
  void on(const OperationEvent& event) override { names.emplace_back(event.name); }
};

TEST(Einops, ResultsAreViewsWhereStridesAllow) {
  const Tensor x = counting({2, 6, 8});
  Operations happened;
  const Tensor heads = rearrange(x, "b s (h d) -> b h s d", {{"h", 2}});
  EXPECT_TRUE(heads.shares_storage(x));
  EXPECT_EQ(heads.strides(), (Strides{48, 4, 8, 1}));
  EXPECT_TRUE(rearrange(heads, "b h s d -> b s (h d)").shares_storage(x));
  EXPECT_EQ(rearrange(x, "b s d -> (b s) d").strides(), (Strides{8, 1}));
  EXPECT_TRUE(rearrange(x, "b ... -> ... b").shares_storage(x));
  const Tensor kv = repeat(x, "b kv d -> b kv g d", {{"g", 4}});
  EXPECT_TRUE(kv.shares_storage(x));
  EXPECT_EQ(kv.strides(), (Strides{48, 8, 0, 1}));
  EXPECT_TRUE(repeat(x, "b s d -> copy b s d", {{"copy", 3}}).shares_storage(x));
  EXPECT_TRUE(happened.names.empty());
  EXPECT_FALSE(repeat(x, "b kv d -> b (kv g) d", {{"g", 4}}).shares_storage(x));
  EXPECT_EQ(happened.names.size(), 1U);
  EXPECT_FALSE(rearrange(x, "b s d -> (s b) d").shares_storage(x));
  EXPECT_EQ(happened.names.size(), 2U);
  reduce(x, "b (s 2) d -> s b", Reduction::sum);
  EXPECT_EQ(happened.names,
            (std::vector<std::string>{happened.names[0], happened.names[1], "sum"}));
}

TEST(Einops, PatchesArePutBackTogether) {
  const Tensor image = counting({2, 3, 8, 12});
  const Tensor patches =
      rearrange(image, "b c (h p) (w q) -> b (h w) (p q c)", {{"p", 4}, {"q", 6}});
  EXPECT_EQ(patches.shape(), (Shape{2, 4, 72}));
  const Tensor back =
      rearrange(patches, "b (h w) (p q c) -> b c (h p) (w q)", {{"h", 2}, {"p", 4}, {"q", 6}});
  EXPECT_TRUE(equal(back, image));
}

TEST(Einops, RecipesAreKeptApartByTextShapeSizesAndForm) {
  const Tensor x = counting({2, 12});
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(rearrange(x, "a (b c) -> a b c", {{"b", 2}}).shape(), (Shape{2, 2, 6}));
    EXPECT_EQ(rearrange(x, "a (b c) -> a b c", {{"b", 3}}).shape(), (Shape{2, 3, 4}));
    EXPECT_EQ(rearrange(x, "a (b c) -> a b c", {{"c", 3}}).shape(), (Shape{2, 4, 3}));
    EXPECT_EQ(rearrange(counting({3, 12}), "a (b c) -> a b c", {{"c", 3}}).shape(),
              (Shape{3, 4, 3}));
    EXPECT_EQ(reduce(x, "a b -> a b", Reduction::sum).shape(), (Shape{2, 12}));
    EXPECT_EQ(reduce(x, "a b -> a", Reduction::sum).shape(), (Shape{2}));
    EXPECT_REFUSED(rearrange(x, "a b -> a"), "axis b");
    EXPECT_REFUSED(rearrange(x, "a (b c) -> a b c", {{"b", 5}}), "multiple of 5");
  }
  for (int n = 1; n < 1000; ++n) {
    const Tensor one = empty({n, 1}, {.device = Device::meta});
    ASSERT_EQ(reduce(one, "a b -> a", Reduction::sum).shape(), (Shape{n}));
    ASSERT_THROW(rearrange(one, "a b -> a"), Error);
  }
  for (int n = 1; n < 2000; ++n)  // more than there is room for
    ASSERT_EQ(repeat(x, "a b -> a b c", {{"c", n}}).size(2), n);
}

TEST(Einops, ReductionsHaveNames) {
  EXPECT_EQ(reduction_named("mean"), Reduction::mean);
  EXPECT_REFUSED(reduction_named("median"), "median", "prod");
}

}  // namespace
}  // namespace napkin
