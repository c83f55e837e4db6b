// Batches of products that become fewer, and results between other numbers.
#include "common/tensor/cpu/product/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <string>
#include <vector>

#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"

namespace napkin::cpu {
namespace {

MatrixProduct product_of(std::int64_t m, std::int64_t k, std::int64_t n) {
  MatrixProduct p;
  p.m = m;
  p.k = k;
  p.n = n;
  p.a = {nullptr, k, 1};
  p.b = {nullptr, n, 1};
  p.c = {nullptr, n, 1};
  return p;
}

TEST(Batches, OverOneMatrixBecomeRows) {
  MatrixProduct p = product_of(3, 4, 5);
  Batches batches{{2, 6}, {72, 12}, {0, 0}, {90, 15}};
  simplify(p, batches);
  EXPECT_EQ(p.m, 36);
  EXPECT_TRUE(batches.shape.empty());
}

TEST(Batches, ThatContinueBecomeOne) {
  MatrixProduct p = product_of(3, 4, 5);
  Batches batches{{2, 6, 1}, {72, 12, 0}, {120, 20, 0}, {90, 15, 0}};
  simplify(p, batches);
  EXPECT_EQ(batches.shape, Shape{12});
  EXPECT_EQ(batches.a, Strides{12});
  EXPECT_EQ(batches.b, Strides{20});
  EXPECT_EQ(batches.c, Strides{15});
  EXPECT_EQ(p.m, 3);
}

TEST(Batches, WithGapsOrBroadcastStay) {
  for (const Strides& b : {Strides{0, 20}, Strides{20, 0}, Strides{140, 20}}) {
    MatrixProduct p = product_of(3, 4, 5);
    Batches batches{{2, 6}, {80, 12}, b, {90, 15}};
    simplify(p, batches);
    if (b[1] == 0) {  // the inner ones are rows
      EXPECT_EQ(p.m, 18);
      EXPECT_EQ(batches.shape, Shape{2});
    } else {
      EXPECT_EQ(p.m, 3);
      EXPECT_EQ(batches.shape, (Shape{2, 6}));
    }
  }
}

TEST(Batches, AreFoundByNumber) {
  MatrixProduct p = product_of(1, 1, 1);
  std::vector<float> memory(100);
  p.a.data = p.b.data = p.c.data = reinterpret_cast<std::byte*>(memory.data());
  const MatrixProduct third = at_batch(p, {{2, 3}, {30, 10}, {0, 5}, {3, 1}}, 5);
  EXPECT_EQ(third.a.data, reinterpret_cast<std::byte*>(&memory[50]));
  EXPECT_EQ(third.b.data, reinterpret_cast<std::byte*>(&memory[10]));
  EXPECT_EQ(third.c.data, reinterpret_cast<std::byte*>(&memory[5]));
}

// A product of ones and twos into c, whose memory is filled with -1: what is not c must stay.
void expect_only_the_result(std::int64_t m, std::int64_t n, std::int64_t row, std::int64_t column) {
  constexpr std::int64_t k = 3;
  std::vector<float> a(static_cast<std::size_t>(m * k), 1), b(static_cast<std::size_t>(k * n), 2);
  std::vector<float> c(static_cast<std::size_t>((m - 1) * row + (n - 1) * column + 5), -1);
  std::vector<float> want = c;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) want[static_cast<std::size_t>(i * row + j * column)] = 6;
  MatrixProduct p = product_of(m, k, n);
  p.a.data = reinterpret_cast<std::byte*>(a.data());
  p.b.data = reinterpret_cast<std::byte*>(b.data());
  p.c = {reinterpret_cast<std::byte*>(c.data()), row, column};
  for (const std::string& level : levels()) {
    const ForcedLevel forced(level);
    std::fill(c.begin(), c.end(), -1.0f);
    multiply(p);
    ASSERT_EQ(c, want) << level << " " << m << " " << n << " " << row << " " << column;
  }
}

TEST(Product, WritesItsResultOnly) {
  for (const std::int64_t n : {1, 7, 15, 16, 31, 32, 37, 63})
    for (const std::int64_t m : {1, 5, 13, 31}) {
      expect_only_the_result(m, n, n, 1);
      expect_only_the_result(m, n, n + 3, 1);
      expect_only_the_result(m, n, 1, m + 3);
      expect_only_the_result(m, n, 2 * n, 2);
      expect_only_the_result(m, n, 2, 2 * m);
    }
}

TEST(Product, FactorsOfIntegersAreWholeNumbers) {
  const Tensor x = ones({2, 2}, {.dtype = DType::int32});
  Tensor y = zeros({2, 2}, {.dtype = DType::int32});
  for (const double factor : {0.5, 1e20, std::nan("")}) {
    EXPECT_THROW(matmul_into(y, x, x, factor), Error) << factor;
    EXPECT_THROW(matmul_into(y, x, x, 1, factor), Error) << factor;
  }
  EXPECT_TRUE(equal(y, zeros({2, 2}, {.dtype = DType::int32})));
  matmul_into(y, x, x, -3);
  EXPECT_TRUE(equal(y, full({2, 2}, -6, {.dtype = DType::int32})));
}

}  // namespace
}  // namespace napkin::cpu
