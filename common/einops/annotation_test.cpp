// Shape annotations (lecture 4.3): what they refuse, and in which words.
#include "common/einops/annotation.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "common/einops/pattern_parser.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/softmax.h"

namespace napkin {
namespace {

class Annotations : public testing::Test {
 protected:
  void SetUp() override { set_shape_checks(true); }
  void TearDown() override { set_shape_checks(before_); }

 private:
  const bool before_ = shape_checks();
};

Float<"batch heads query d"> attention(const Float<"batch heads query d">& q,
                                       const Float<"batch heads key d">& k,
                                       const Float<"batch heads key d">& v) {
  Shapes shapes("attention", {{"q", q}, {"k", k}, {"v", v}});
  const Float<"batch heads query key"> weights =
      shapes("weights", softmax(matmul(q, k.transpose(2, 3)), 3));
  return shapes("the result", matmul(weights, v));
}

Tensor some(const Shape& shape, DType dtype = DType::fp32) { return ones(shape, {.dtype = dtype}); }

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST_F(Annotations, AttentionTakesWhatFits) {
  const Tensor q = some({2, 3, 5, 8}), kv = some({2, 3, 7, 8});
  const Tensor result = attention(q, kv, kv);
  EXPECT_EQ(result.shape(), (Shape{2, 3, 5, 8}));
}

// [batch, seq, heads, d] where [batch, heads, seq, d] is meant: the lecture's mistake.
TEST_F(Annotations, AttentionRefusesSwappedAxes) {
  const Tensor q = some({2, 3, 5, 8}), k = some({2, 5, 3, 8});
  EXPECT_EQ(refusal([&] { attention(q, k, q); }),
            "attention: axis heads is 3 in q and 5 in k: q is [2, 3, 5, 8] as "
            "\"batch heads query d\"; k is [2, 5, 3, 8] as \"batch heads key d\"");
  EXPECT_EQ(refusal([&] {
              attention(q, q, some({2, 3, 6, 8}));
            }),
            "attention: axis key is 5 in k and 6 in v: k is [2, 3, 5, 8] as "
            "\"batch heads key d\"; v is [2, 3, 6, 8] as \"batch heads key d\"");
}

// All of them swapped alike agree with each other; the known number of heads tells.
TEST_F(Annotations, KnownSizesCatchWhatAgrees) {
  const auto split = [](const Float<"batch heads seq d">& q, std::int64_t heads) {
    Shapes shapes("split", {{"heads", heads}, {"q", q}});
  };
  const Tensor q = some({2, 5, 3, 8});
  EXPECT_EQ(refusal([&] { split(q, 5); }), "accepted");
  EXPECT_EQ(refusal([&] { split(q, 3); }),
            "split: axis heads is 3 as given and 5 in q: q is [2, 5, 3, 8] as "
            "\"batch heads seq d\"");
}

template <class Annotated>
std::string refusal_of(const Tensor& x) {
  const Annotated annotated = x;
  return refusal([&] { Shapes shapes("f", {{"x", annotated}}); });
}

TEST_F(Annotations, RanksMustBeEqual) {
  EXPECT_EQ(refusal_of<Float<"a b">>(some({2, 3, 4})),
            "f: x is [2, 3, 4]: rank 3, where \"a b\" has 2");
  EXPECT_EQ(refusal_of<Float<"a b">>(some({2})), "f: x is [2]: rank 1, where \"a b\" has 2");
  EXPECT_EQ(refusal_of<Float<"">>(some({})), "accepted");
  EXPECT_EQ(refusal_of<Float<"">>(some({1})), "f: x is [1]: rank 1, where \"\" has 0");
  EXPECT_EQ(refusal_of<Float<"  a   b ">>(some({2, 0})), "accepted");
}

TEST_F(Annotations, EllipsisStandsForAnyAxes) {
  using Image = Float<"batch ... h w">;
  EXPECT_EQ(refusal_of<Image>(some({2, 3, 4})), "accepted");
  EXPECT_EQ(refusal_of<Image>(some({2, 7, 8, 3, 4})), "accepted");
  EXPECT_EQ(refusal_of<Image>(some({2, 3})),
            "f: x is [2, 3]: rank 2, where \"batch ... h w\" has at least 3");
  EXPECT_EQ(refusal_of<Float<"... n n">>(some({9, 3, 4})),
            "f: axis n is 3 in x and 4 in x: x is [9, 3, 4] as \"... n n\"");
}

TEST_F(Annotations, RepeatedNamesAndNumbersHaveOneSize) {
  EXPECT_EQ(refusal_of<Float<"n n">>(some({3, 3})), "accepted");
  EXPECT_EQ(refusal_of<Float<"n n">>(some({3, 4})),
            "f: axis n is 3 in x and 4 in x: x is [3, 4] as \"n n\"");
  EXPECT_EQ(refusal_of<Float<"h w 3">>(some({5, 4, 3})), "accepted");
  EXPECT_EQ(refusal_of<Float<"... 3 w">>(some({9, 4, 3})),
            "f: axis 1 of x is 4, but its annotation says 3: x is [9, 4, 3] as \"... 3 w\"");
  EXPECT_EQ(refusal_of<Float<"1 ... 1 a">>(some({1, 8, 1, 3})), "accepted");
  EXPECT_EQ(refusal_of<Float<"1 ... 1 a">>(some({1, 8, 2, 3})),
            "f: axis 2 of x is 2, but its annotation says 1: x is [1, 8, 2, 3] as \"1 ... 1 a\"");
  EXPECT_EQ(refusal_of<Float<"_ _ a">>(some({2, 3, 4})), "accepted");
}

TEST_F(Annotations, DtypesAreOfTheAnnotatedKind) {
  for (const DType dtype : all_dtypes) {
    const Tensor x = empty({2}, {.dtype = dtype});
    const bool boolean = dtype == DType::boolean;
    EXPECT_EQ(refusal_of<Float<"a">>(x) == "accepted", is_floating(dtype)) << name(dtype);
    EXPECT_EQ(refusal_of<Int<"a">>(x) == "accepted", !is_floating(dtype) && !boolean);
    EXPECT_EQ(refusal_of<Bool<"a">>(x) == "accepted", boolean);
    EXPECT_EQ(refusal_of<Shaped<"a">>(x), "accepted");
  }
  EXPECT_EQ(refusal_of<Float<"a">>(some({2}, DType::int64)),
            "f: x is int64, but its annotation is Float<\"a\">");
  EXPECT_EQ(refusal_of<Int<"a">>(some({2})), "f: x is fp32, but its annotation is Int<\"a\">");
  EXPECT_EQ(refusal_of<Float<"a">>(Tensor()), "f: x is an undefined tensor");
}

TEST_F(Annotations, ResultsAndWhatStandsBetweenAgreeWithTheArguments) {
  const auto product =
      [](const Float<"m k">& a, const Float<"k n">& b, bool forget) -> Float<"m n"> {
    Shapes shapes("product", {{"a", a}, {"b", b}});
    const Tensor c = matmul(a, b);
    return shapes("the result", forget ? c.t() : c);
  };
  EXPECT_EQ(product(some({2, 3}), some({3, 4}), false).shape(), (Shape{2, 4}));
  EXPECT_EQ(refusal([&] {
              product(some({2, 3}), some({3, 4}), true);
            }),
            "product: axis m is 2 in a and 4 in the result: a is [2, 3] as \"m k\"; "
            "the result is [4, 2] as \"m n\"");
  EXPECT_EQ(refusal([&] {
              Shapes shapes("f", {});
              const Float<"a"> first = shapes("first", some({2}));
              const Float<"a"> second = shapes("second", some({3}));
            }),
            "f: axis a is 2 in first and 3 in second: first is [2] as \"a\"; second is [3] as "
            "\"a\"");
}

TEST_F(Annotations, SwitchedOffNothingIsRefused) {
  set_shape_checks(false);
  const auto any = [](const Float<"a b">& x) -> Int<"b c"> {
    Shapes shapes("any", {{"a", 7}, {"x", x}});
    return shapes("the result", x);
  };
  const Tensor x = some({2, 3, 4});
  EXPECT_TRUE(any(x).shares_storage(x));
  set_shape_checks(true);
  EXPECT_NE(refusal([&] { any(x); }), "accepted");
}

TEST_F(Annotations, AnAnnotatedTensorIsTheTensor) {
  const Tensor x = some({2, 3});
  const Float<"a b"> annotated = x;
  EXPECT_TRUE(annotated.shares_storage(x));
  EXPECT_EQ(annotated.layout().strides, x.layout().strides);
  EXPECT_FALSE(Float<"a">().defined());
}

// Asked before any test switches. ctest runs this one with the variable too.
const bool checked_at_first = shape_checks();

TEST(AnnotationSwitch, IsOffInReleaseUnlessTheEnvironmentAsks) {
#ifdef NDEBUG
  const char* asked = std::getenv("NAPKIN_CHECK_SHAPES");
  EXPECT_EQ(checked_at_first, asked != nullptr && std::string(asked) == "1");
#else
  EXPECT_TRUE(checked_at_first);
#endif
}

TEST(AnnotationPatterns, WrongOnesAreFoundWhenCompiling) {
  const auto reason = [](std::string_view axes) {
    return einops::parse_pattern(axes, einops::Form::annotation).problem.reason;
  };
  using enum einops::Reason;
  for (const char* right : {"batch heads seq d", "", "... 3 h", "n n", "1 _ _", "3 3", "å 头"})
    EXPECT_EQ(reason(right), none) << right;
  EXPECT_EQ(reason("a (b c)"), group_not_allowed);
  EXPECT_EQ(reason("a, b"), unknown_character);
  EXPECT_EQ(reason("a -> b"), unknown_character);
  EXPECT_EQ(reason("*a b"), unknown_character);
  EXPECT_EQ(reason("... a ..."), two_ellipses);
  EXPECT_EQ(reason("a 3b"), invalid_name);
  EXPECT_EQ(reason("0 b"), invalid_number);
}

}  // namespace
}  // namespace napkin
