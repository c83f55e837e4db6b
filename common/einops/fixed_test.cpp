// Patterns that the compiler reads do what the same patterns do as strings. Wrong ones:
// testing/wrong.
#include "common/einops/fixed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/einops/annotation.h"
#include "common/tensor/create.h"

namespace napkin {

// Another kind of array, with functions of the same names: they say what they were asked.
struct Echo {
  std::string said;
};
inline Echo rearrange(const Echo& x, std::string_view pattern, AxisSizes sizes) {
  return {fmt::format("{}: {}, {} sizes", x.said, pattern, sizes.size())};
}
inline Echo einsum(std::initializer_list<Echo> operands, std::string_view pattern) {
  std::string all(pattern);
  for (const Echo& e : operands) all += " " + e.said;
  return {all};
}

namespace {

void expect_same(const Tensor& fixed, const Tensor& by_name, const Tensor& x) {
  EXPECT_EQ(fixed.dtype(), by_name.dtype());
  EXPECT_EQ(fixed.shape(), by_name.shape());
  EXPECT_EQ(fixed.strides(), by_name.strides());
  EXPECT_EQ(fixed.shares_storage(x), by_name.shares_storage(x));
  EXPECT_EQ(fixed.to_vector<double>(), by_name.to_vector<double>());
}

Tensor counted(const Shape& shape) { return arange(count_elements(shape)).view(shape); }

TEST(Fixed, RearrangeIsTheOneByName) {
  const Tensor x = counted({2, 5, 24});
  expect_same(rearrange<"b s (h d) -> b h s d">(x, axis<"h"> = 8),
              rearrange(x, "b s (h d) -> b h s d", {{"h", 8}}), x);
  expect_same(rearrange<"... d -> d ...">(x), rearrange(x, "... d -> d ..."), x);
  expect_same(rearrange<"a b c -> (c a) b 1">(x), rearrange(x, "a b c -> (c a) b 1"), x);
  expect_same(
      rearrange<"b (s p) (d q) -> (s d) (b p q)">(x, axis<"p"> = 5, axis<"q"> = 4, axis<"b"> = 2),
      rearrange(x, "b (s p) (d q) -> (s d) (b p q)", {{"p", 5}, {"q", 4}, {"b", 2}}), x);
}

TEST(Fixed, ReduceIsTheOneByName) {
  const Tensor x = counted({2, 5, 24}).to(DType::fp32);
  for (const Reduction how :
       {Reduction::sum, Reduction::mean, Reduction::max, Reduction::min, Reduction::prod})
    expect_same(reduce<"b s d -> d b">(x, how), reduce(x, "b s d -> d b", how), x);
  expect_same(reduce<"b s (d two) -> b d">(x, Reduction::max, axis<"two"> = 2),
              reduce(x, "b s (d two) -> b d", Reduction::max, {{"two", 2}}), x);
}

TEST(Fixed, RepeatIsTheOneByName) {
  const Tensor k = counted({2, 2, 5, 3});
  expect_same(repeat<"b kv s d -> b kv g s d">(k, axis<"g"> = 4),
              repeat(k, "b kv s d -> b kv g s d", {{"g", 4}}), k);
  expect_same(repeat<"b kv s d -> b (kv g) s d">(k, axis<"g"> = 4),
              repeat(k, "b kv s d -> b (kv g) s d", {{"g", 4}}), k);
  expect_same(repeat<"b kv s d -> b kv s d 2">(k), repeat(k, "b kv s d -> b kv s d 2"), k);
}

TEST(Fixed, EinsumIsTheOneByName) {
  const Float<"b h q d"> q = counted({2, 3, 5, 4}).to(DType::fp32);
  const Float<"b h k d"> k = counted({2, 3, 7, 4}).to(DType::fp32);
  expect_same(einsum<"b h q d, b h k d -> b h q k">(q, k),
              einsum(q, k, "b h q d, b h k d -> b h q k"), q);
  expect_same(einsum<"a b i i -> a i">(counted({2, 3, 5, 5})),
              einsum(counted({2, 3, 5, 5}), "a b i i -> a i"), q);
}

TEST(Fixed, AnnotatedTensorsAreTensors) {
  const Float<"batch seq hidden"> x = counted({2, 5, 24});
  const Float<"batch heads seq d"> q = rearrange<"b s (h d) -> b h s d">(x, axis<"h"> = 8);
  expect_same(q, rearrange(x, "b s (h d) -> b h s d", {{"h", 8}}), x);
}

TEST(Fixed, OtherArraysHaveTheirOwnFunctions) {
  const Echo x{"x"}, y{"y"};
  EXPECT_EQ((rearrange<"(a b) -> b a">(x, axis<"b"> = 2).said), "x: (a b) -> b a, 1 sizes");
  EXPECT_EQ((einsum<"a b, b c -> a c">(x, y).said), "a b, b c -> a c x y");
  EXPECT_EQ((einsum<"i i ->">(y).said), "i i -> y");
}

// What the compiler cannot know is refused at run time, in the same words.
TEST(Fixed, ShapesAreRefusedInTheSameWords) {
  const Tensor x = counted({2, 5, 24});
  const auto words = [](auto call) -> std::string {
    try {
      call();
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  const std::string by_name = words([&] { rearrange(x, "b s (h d) -> b h s d", {{"h", 7}}); });
  EXPECT_NE(by_name, "accepted");
  EXPECT_EQ(words([&] { rearrange<"b s (h d) -> b h s d">(x, axis<"h"> = 7); }), by_name);
  EXPECT_EQ(words([&] { rearrange<"a b -> b a">(x); }), words([&] { rearrange(x, "a b -> b a"); }));
}

}  // namespace
}  // namespace napkin
