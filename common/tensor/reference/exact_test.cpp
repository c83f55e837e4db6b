// The reference by exact arithmetic that one can do in one's head, where PyTorch has no record:
// integers past 2^53, uint16, fp8, and the shapes of broadcasting.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/tensor/create.h"
#include "common/tensor/reference/reference.h"

namespace napkin {
namespace {

namespace ref = reference;
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;  // no double

Integers integers(const Tensor& x) { return x.to_vector<std::int64_t>(); }
Reals reals(const Tensor& x) { return x.to_vector<double>(); }

TEST(ReferenceByHand, Int64IsExactPast53Bits) {
  const Tensor x = from_data<std::int64_t>({odd, odd - 1, odd + 1});
  EXPECT_EQ(integers(ref::sum(x)), Integers{3 * odd});
  EXPECT_EQ(integers(ref::cumsum(x, 0)), (Integers{odd, 2 * odd - 1, 3 * odd}));
  EXPECT_EQ(integers(ref::max(x)), Integers{odd + 1});
  EXPECT_EQ(integers(ref::argmin(x)), Integers{1});
  EXPECT_EQ(integers(ref::sort(x).values), (Integers{odd - 1, odd, odd + 1}));
  EXPECT_EQ(integers(ref::topk(x, 2).indices), (Integers{2, 0}));
  EXPECT_EQ(integers(ref::add(x, Scalar(1))), (Integers{odd + 1, odd, odd + 2}));
  EXPECT_EQ(integers(ref::matmul(x, from_data<std::int64_t>({1, 1, -1}))), Integers{odd - 2});
  EXPECT_EQ(integers(ref::copy(x, DType::int64)), integers(x));
  EXPECT_EQ(integers(ref::where(ref::eq(x, Scalar(odd)), x, Scalar(0))), (Integers{odd, 0, 0}));
}

TEST(ReferenceByHand, IntegersWrapAround) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(integers(ref::sum(from_data<std::int64_t>({most, 1}))), Integers{-most - 1});
  EXPECT_EQ(integers(ref::prod(from_data<std::int64_t>({most, 2}))), Integers{-2});
  const Tensor u = from_data<std::uint16_t>({65535, 1, 300});
  EXPECT_EQ(integers(ref::mul(u, u)), (Integers{1, 1, 24464}));  // 90000 - 65536
  EXPECT_EQ(integers(ref::sum(u)), Integers{65836});
  EXPECT_EQ(integers(ref::matmul(u, u)), Integers{24466});
  EXPECT_EQ(ref::matmul(u, u).dtype(), DType::uint16);
}

TEST(ReferenceByHand, SmallFloatsAreReadAndRounded) {
  const Tensor x = ref::copy(from_data<double>({0.1, -448, 500}), DType::e4m3fn);
  EXPECT_EQ(reals(x), (Reals{0.1015625, -448, 448}));
  EXPECT_EQ(reals(ref::abs(x)), (Reals{0.1015625, 448, 448}));
  EXPECT_EQ(integers(ref::ne(x, x)), (Integers{0, 0, 0}));
  EXPECT_EQ(reals(ref::fill({2}, 0.1, DType::bf16)), (Reals{0.10009765625, 0.10009765625}));
  EXPECT_EQ(reals(ref::add(ref::fill({}, 256, DType::bf16), Scalar(1))), Reals{256});
}

TEST(ReferenceByHand, SizesOfOneStandForAll) {
  const Tensor row = from_data<double>({1, 2, 3}),
               column = from_data<double>({10, 20}).view({2, 1});
  EXPECT_EQ(reals(ref::add(row, column)), (Reals{11, 12, 13, 21, 22, 23}));
  EXPECT_EQ(ref::add(zeros({4, 1, 3}), zeros({2, 1})).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(ref::add(zeros({0, 1}), zeros({5})).shape(), (Shape{0, 5}));
}

TEST(ReferenceByHand, SumsOfSmallNumbers) {
  const Tensor x = from_data<double>({1, 2, 3, 4}).view({2, 2});
  EXPECT_EQ(reals(ref::mean(x, {0})), (Reals{2, 3}));
  EXPECT_EQ(reals(ref::var(x, {1})), (Reals{0.5, 0.5}));
  EXPECT_EQ(reals(ref::norm(from_data<double>({3, -4}))), Reals{5});
  EXPECT_EQ(reals(ref::norm(x, 0)), Reals{4});
  EXPECT_EQ(reals(ref::matmul(x, x)), (Reals{7, 10, 15, 22}));
  EXPECT_EQ(reals(ref::softmax(zeros({2, 2}), 1)), (Reals{0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(reals(ref::log_softmax(zeros({2}), 0)), (Reals{-std::log(2), -std::log(2)}));
  EXPECT_TRUE(std::isnan(reals(ref::mean(zeros({0})))[0]));
  EXPECT_TRUE(std::isnan(reals(ref::max(from_data<double>({1, NAN, 2})))[0]));
}

TEST(ReferenceByHand, ElementsGoWhereTheIndexSays) {
  const Tensor x = from_data<double>({1, 2, 3, 4, 5, 6}).view({2, 3});
  const Tensor twice = from_data<std::int64_t>({2, 2});
  EXPECT_EQ(reals(ref::index_select(x, 1, twice)), (Reals{3, 3, 6, 6}));
  EXPECT_EQ(reals(ref::gather(x, 0, from_data<std::int64_t>({1, 0, 1}).view({1, 3}))),
            (Reals{4, 2, 6}));
  EXPECT_EQ(reals(ref::index_add(x, 1, twice, ones({2, 2}))), (Reals{1, 2, 5, 4, 5, 8}));
  EXPECT_EQ(reals(ref::scatter_add(x, 1, twice.view({1, 2}), ones({2, 2}))),
            (Reals{1, 2, 5, 4, 5, 6}));
  EXPECT_EQ(reals(ref::cat({x, zeros({0}), x.slice(0, 1)})), (Reals{1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(ref::stack({x, x}, -1).shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(reals(ref::stack({x[0], x[1]}, 1)), (Reals{1, 4, 2, 5, 3, 6}));
  EXPECT_THROW(ref::index_select(x, 1, from_data<std::int64_t>({-1})), Error);
}

}  // namespace
}  // namespace napkin
