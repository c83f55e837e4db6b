// einsum (lecture 4.2): the answers of einops 0.8.2, few matrix products, no copies, the best
// order.
#include "common/einops/einsum.h"
#include "common/einops/explain_einsum.h"

#include <gtest/gtest.h>

#include "common/core/observer.h"
#include "common/core/warning.h"
#include "common/einops/einops.h"
#include "common/einops/testing/recorded_patterns.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

Tensor counting(const Shape& shape) {
  return arange(count_elements(shape), {.dtype = DType::fp64}).view(shape);
}

std::string refusal(std::string_view pattern, std::initializer_list<Tensor> operands) {
  try {
    einsum(operands, pattern);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void expect_said(const std::string& said, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(said.find(word), std::string::npos) << said;
}

TEST(Einsum, AnswersAsEinopsDoes) {
  // Elements and shapes; where a result stands in memory is for us to choose, and
  // -0 + 0 is 0.
  const WarningsTo nobody({});
  const recorded::Verdict verdict = recorded::compare(
      "named_axes",
      {{"einsum",
        [](const recorded::Case& c) {
          return add(einsum(c.get<std::vector<Tensor>>(0), recorded::pattern(c)), 0);
        }}},
      false);
  EXPECT_GE(verdict.checked, 200);
  for (const std::string& wrong : verdict.wrong) ADD_FAILURE() << wrong;
}

TEST(Einsum, LettersRunTogetherAreOneAxis) {
  const Tensor x = counting({3, 3});
  expect_said(refusal("ii->i", {x}), {"ii->i", "[3, 3]", "axis i"});
  EXPECT_EQ(einsum(x, "i i -> i").to_vector<double>(), (std::vector<double>{0, 4, 8}));
  EXPECT_TRUE(einsum(x, "i i -> i").shares_storage(x));
  EXPECT_EQ(einsum(x, "i i ->").item().to_double(), 12);
  expect_said(refusal("i i -> i", {counting({2, 3})}), {"axis i", "2", "3", "[2, 3]"});
}

TEST(Einsum, RefusalsNameAxesAndSizes) {
  const Tensor x = counting({2, 3});
  expect_said(refusal("a b, b c -> a c", {x, x}),
              {"\"a b, b c -> a c\"", "[2, 3], [2, 3]", "axis b", "2", "3"});
  expect_said(refusal("a b, b c -> a c", {x}), {"2 operands", "1 is"});
  expect_said(refusal("a -> a", {x}), {"operand 1", "1 dimension ", "2"});
  expect_said(refusal("a b c ... -> a", {x}), {"at least 3"});
  expect_said(refusal("a b -> a d", {x}), {"axis d"});
}

struct Happened : Observer {
  std::vector<std::string> names;
  std::int64_t copied = 0;  // bytes
  void on(const OperationEvent& event) override {
    names.emplace_back(event.name);
    if (names.back() == "copy") copied += event.bytes_written;
  }
};
using Names = std::vector<std::string>;

Names happens(std::string_view pattern, std::initializer_list<Tensor> operands) {
  Happened happened;
  einsum(operands, pattern);
  return happened.names;
}

TEST(Einsum, IsOneMatrixProductWithoutCopies) {
  const Names one{"matmul"};
  const Tensor x = counting({2, 3, 4, 8}), y = counting({2, 3, 5, 8});
  EXPECT_EQ(happens("seq1 hidden, hidden seq2 -> seq1 seq2", {counting({2, 3}), counting({3, 4})}),
            one);
  EXPECT_EQ(happens("b h q d, b h k d -> b h q k", {x, y}), one);
  EXPECT_EQ(happens("b h q k, b h k d -> b h q d", {counting({2, 3, 4, 5}), y}), one);
  EXPECT_EQ(happens("b h q d, h d e -> b q e", {x, counting({3, 8, 5})}),
            (Names{"copy", "matmul"}));  // h and d, not side by side, are one row
  EXPECT_EQ(happens("b s d, e d -> b s e", {counting({2, 3, 4}), counting({5, 4})}), one);
  EXPECT_EQ(happens("b s d, e d -> e s b", {counting({2, 3, 4}), counting({5, 4})}), one);
  EXPECT_EQ(happens("s b d, d e -> b s e", {counting({2, 3, 4}), counting({4, 5})}), one);
  EXPECT_EQ(happens("a b c, a b c ->", {counting({2, 3, 4}), counting({2, 3, 4})}), one);
  EXPECT_EQ(happens("... a b, ... b c -> ... a c", {counting({5, 2, 3}), counting({5, 3, 4})}),
            one);
  EXPECT_EQ(happens("... a b, ... b c -> ... a c", {counting({5, 2, 3}), counting({3, 4})}), one);
  EXPECT_EQ(happens("out in, in -> out", {counting({3, 2}), counting({2})}), one);
}

TEST(Einsum, TakesHeadsAsTheyLie) {
  const Tensor x = counting({2, 6, 32});
  const Tensor q = rearrange(x, "b s (h d) -> b h s d", {{"h", 4}});
  EXPECT_EQ(happens("b h q d, b h k d -> b h q k", {q, q}), Names{"matmul"});
  EXPECT_EQ(happens("b h s d, h d e -> b s e", {q, counting({4, 8, 5})}), Names{"matmul"});
  // Queries in groups: the group is repeated over, as it cannot be rows together with s.
  const Tensor groups = rearrange(x, "b s (kv g d) -> b kv g s d", {{"kv", 2}, {"g", 2}});
  const Tensor k = counting({2, 2, 6, 8});
  EXPECT_EQ(happens("b kv g s d, b kv t d -> b kv g s t", {groups, k}), Names{"matmul"});
  const Tensor repeated = repeat(k, "b kv t d -> b kv g t d", {{"g", 2}});
  EXPECT_EQ(einsum(groups, k, "b kv g s d, b kv t d -> b kv g s t").to_vector<double>(),
            einsum(groups, repeated, "b kv g s d, b kv g t d -> b kv g s t").to_vector<double>());
}

TEST(Einsum, CopiesTheSmallerOperandWhereOneMustBe) {
  const Tensor large = counting({100, 3, 4}), small = counting({4, 3, 2});
  Happened happened;
  einsum(large, small, "i k l, l k j -> i j");
  EXPECT_EQ(happened.copied, small.bytes());
  einsum(small, large, "l k j, i k l -> i j");
  EXPECT_EQ(happened.copied, 2 * small.bytes());
}

TEST(Einsum, MultipliesElementsWhereNothingIsSummed) {
  EXPECT_EQ(happens("i, j -> i j", {counting({3}), counting({4})}), Names{"mul"});
  EXPECT_EQ(happens("a b, a b -> a b", {counting({3, 2}), counting({3, 2})}), Names{"mul"});
  EXPECT_EQ(happens("a b -> b a", {counting({3, 2})}), Names{});
  EXPECT_EQ(happens("a b -> a", {counting({3, 2})}), Names{"sum"});
  const WarningsTo nobody({});
  EXPECT_EQ(happens("a b, c d -> ", {counting({3, 2}), counting({3, 2})}),
            (Names{"sum", "sum", "mul"}));
}

TEST(Einsum, ChoosesTheCheapestOrder) {
  // (1000, 2) (2, 1000) (1000, 2): from the right, 8000 + 8000 FLOPs; from the left, 8 million.
  EinsumPlan plan = explain_einsum({{1000, 2}, {2, 1000}, {1000, 2}}, "a b, b c, c d -> a d");
  EXPECT_EQ(plan.flops, 2.0 * 2 * 1000 * 2 + 2.0 * 1000 * 2 * 2);
  expect_said(plan.steps.at(0).sentence(), {"b c, c d -> b d by matmul: 8000 FLOPs"});
  expect_said(plan.steps.at(1).sentence(), {"a b, b d -> a d by matmul"});
  EXPECT_EQ(plan.bytes, 4 * (2000 + 2000 + 4 + 2000 + 4 + 2000));
  plan = explain_einsum({{2, 1000}, {1000, 2}, {2, 1000}}, "a b, b c, c d -> a d");
  EXPECT_EQ(plan.flops, 2.0 * 2 * 1000 * 2 + 2.0 * 2 * 2 * 1000);
  expect_said(plan.steps.at(0).sentence(), {"a b, b c -> a c"});
}

TEST(Einsum, HasTheBitsOfTheMatrixProduct) {
  const Tensor a = div(counting({17, 31}), 7).to(DType::fp32);
  const Tensor b = div(counting({31, 13}), 11).to(DType::fp32);
  EXPECT_TRUE(equal(einsum(a, b, "i k, k j -> i j"), matmul(a, b)));
  EXPECT_TRUE(equal(einsum(a, b.t(), "i k, j k -> i j"), matmul(a, b)));
  EXPECT_TRUE(equal(einsum(a, b, "i k, k j -> j i"), matmul(a, b).t()));
}

// What was worked out for one layout would copy the other.
TEST(Einsum, OperandsOfTheSameShapeMayLieOtherwise) {
  const Tensor apart =
      rearrange(counting({2, 5, 32}), "b s (kv g d) -> b kv g s d", {{"kv", 2}, {"g", 2}});
  const Tensor together = apart.contiguous(), k = counting({2, 2, 7, 8});
  for (int turn = 0; turn < 2; ++turn)
    for (const Tensor& q : {together, apart}) {
      EXPECT_EQ(happens("b kv g s d, b kv t d -> b kv g s t", {q, k}), Names{"matmul"});
      EXPECT_EQ(happens("b kv t d, b kv g s d -> b kv t g s", {k, q}), Names{"matmul"});
    }
  const Tensor a = counting({4, 4}), b = counting({4, 4}) * 3, c = counting({4, 4}) + 1;
  for (const Tensor& x : {a, a.t(), a[0].expand({4, 4})})
    for (const Tensor& y : {b, b.t()}) {
      EXPECT_TRUE(equal(einsum(x, y, "k i, k j -> j i"), matmul(x.t(), y).t()));
      EXPECT_TRUE(equal(einsum(x, y, c, "i k, k j, l j -> l i"), matmul(matmul(x, y), c.t()).t()));
    }
}

// Axes of a result in between stand in the order that suits the operands, with the same strides.
TEST(Einsum, AxesInBetweenMayChangePlaces) {
  const Tensor x = counting({2, 2, 5}), w = counting({5, 2}), v = counting({2, 5});
  for (const Tensor& y : {x, x.transpose(0, 1), x})
    EXPECT_TRUE(equal(einsum(y, w, v, "i j k, k l, l m -> i j m"), matmul(matmul(y, w), v)));
}

// An observer that asks for the plan that is in use.
TEST(Einsum, MayBeCalledFromAnObserver) {
  struct Again : Observer {
    Tensor x, got;
    void on(const OperationEvent&) override {
      if (got.defined()) return;
      got = x;  // once
      got = einsum(x, x, x, "i k, k j, j l -> i l");
    }
  };
  const Tensor x = counting({3, 3}), y = x.t();
  Again again;
  again.x = y;
  EXPECT_TRUE(equal(einsum(x, x, x, "i k, k j, j l -> i l"), matmul(matmul(x, x), x)));
  EXPECT_TRUE(equal(again.got, matmul(matmul(y, y), y)));
}

TEST(Einsum, NeedsNoData) {
  const Tensor x = empty({64, 128}, {.device = Device::meta});
  EXPECT_EQ(einsum(x, x, "a b, c b -> a c").shape(), (Shape{64, 64}));
}

}  // namespace
}  // namespace napkin
