// Eigen's view of tensors; and Eigen as another opinion on products, solutions and reductions: with
// matrices of one type of its own, since each type takes seconds to compile.
#include "common/tensor/eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

using recorded::difference;

// The same elements in every layout that a matrix may have.
std::vector<Tensor> layouts(const Tensor& x) {
  const Options options = {.dtype = x.dtype()};
  Tensor gaps = zeros({x.size(0), x.size(1) + 5}, options).slice(1, 2, 2 + x.size(1));
  Tensor scattered =
      zeros({2 * x.size(0), 3 * x.size(1) + 1}, options).slice(0, 0, Tensor::to_end, 2);
  scattered = scattered.slice(1, 1, Tensor::to_end, 3);
  Tensor turned = empty({x.size(1), x.size(0)}, options).t();
  return {x, gaps.copy_(x), scattered.copy_(x), turned.copy_(x)};
}

Tensor whole_numbers(const Shape& shape, DType dtype, Generator& generator) {
  return randint(dtype == DType::boolean || dtype == DType::uint8 ? 0 : -50,
                 dtype == DType::boolean ? 2 : 50, shape, {.dtype = dtype}, generator);
}

template <class T>
class EveryEigenType : public testing::Test {};
using Types = testing::Types<float, Eigen::half, std::int64_t, std::uint8_t, bool>;
TYPED_TEST_SUITE(EveryEigenType, Types);

TYPED_TEST(EveryEigenType, ShowsTheElementsOfEveryLayout) {
  Generator generator(1);
  const Tensor numbers = whole_numbers({5, 7}, DType::int64, generator).to(dtype_of<TypeParam>);
  for (const Tensor& x : layouts(numbers)) {
    const auto map = as_eigen<const TypeParam>(x);
    ASSERT_EQ(map.rows(), 5);
    ASSERT_EQ(map.cols(), 7);
    EXPECT_EQ(static_cast<const void*>(map.data()), x.raw_data()) << "a copy";
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t j = 0; j < 7; ++j)
        ASSERT_EQ(static_cast<double>(map(i, j)), x.at({i, j}).to_double()) << i << ", " << j;
    EXPECT_EQ(difference(tensor_from(map), numbers), "");
  }
}

TYPED_TEST(EveryEigenType, WritesWhatTheTensorShowsAndNothingElse) {
  const Tensor other = zeros({4}, {.dtype = dtype_of<TypeParam>});
  const Tensor base = zeros({6, 8}, {.dtype = dtype_of<TypeParam>});
  const Tensor view = base.slice(0, 1, 5, 2).slice(1, 2, 8, 3).t();  // 2 x 2 of 48 elements
  const std::uint64_t before = base.storage()->version(), others = other.storage()->version();
  as_eigen<TypeParam>(view)(1, 0) = TypeParam(1);
  EXPECT_EQ(base.storage()->version(), before + 1) << "a map to be written is a write in place";
  EXPECT_EQ(as_eigen<const TypeParam>(view).rows(), 2);
  EXPECT_EQ(base.storage()->version(), before + 1) << "a map to be read is none";
  EXPECT_EQ(other.storage()->version(), others);
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 8; ++j)
      ASSERT_EQ(base.at({i, j}).to_double(), i == 1 && j == 5 ? 1 : 0) << i << ", " << j;
  EXPECT_EQ(view.at({1, 0}).to_double(), 1);
}

TEST(Eigen, OneDimensionIsAColumn) {
  const Tensor x = arange(6, {.dtype = DType::fp32}).slice(0, 1, 6, 2);  // 1, 3, 5
  EXPECT_EQ(as_eigen<const float>(x).rows(), 3);
  EXPECT_EQ(as_eigen<const float>(x).cols(), 1);
  EXPECT_EQ(as_eigen<const float>(x)(2, 0), 5);
  EXPECT_EQ(difference(tensor_from(as_eigen<const float>(x).col(0)), x), "");
  EXPECT_EQ(tensor_from(as_eigen<const float>(x)).shape(), (Shape{3, 1}));
}

TEST(Eigen, SizesOfZeroAndOne) {
  for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}, Shape{0, 0}, Shape{0}}) {
    const Tensor x = zeros(shape);
    const auto map = as_eigen<float>(x);
    EXPECT_EQ(map.rows(), shape[0]);
    EXPECT_EQ(map.size(), 0);
    EXPECT_EQ(map.sum(), 0);
  }
  EXPECT_EQ(difference(tensor_from(as_eigen<const float>(zeros({3, 0}))), zeros({3, 0})), "");
  // No step is taken along a dimension of size 1, so that its stride may be any.
  const Tensor row = arange(3, {.dtype = DType::fp32}).as_strided({1, 3}, {1000, 1}, 0);
  EXPECT_EQ(as_eigen<float>(row)(0, 2), 2);
  EXPECT_EQ(difference(tensor_from(as_eigen<const float>(row)), row), "");
}

TEST(Eigen, ExpandedTensorsAreReadOnly) {
  const Tensor x = arange(3, {.dtype = DType::fp64}).expand({4, 3});
  EXPECT_EQ(as_eigen<const double>(x).sum(), 12);
  EXPECT_EQ(difference(tensor_from(as_eigen<const double>(x)), x), "");
  expect_refused([&] { as_eigen<double>(x); }, {"[4, 3]", "[0, 1]", "const T"});
  const Tensor windows = arange(6, {.dtype = DType::fp64}).unfold(0, 3, 1);
  EXPECT_EQ(as_eigen<const double>(windows)(3, 2), 5);
  expect_refused([&] { as_eigen<double>(windows); }, {"[4, 3]", "[1, 1]"});
}

TEST(Eigen, RefusalsSayWhy) {
  expect_refused([] { as_eigen<float>(Tensor()); }, {"undefined"});
  expect_refused([] { as_eigen<float>(zeros({2}, {.dtype = DType::fp64})); },
                 {"fp64 asked for as fp32"});
  expect_refused([] { as_eigen<Eigen::half>(zeros({2}, {.dtype = DType::bf16})); },
                 {"bf16 asked for as fp16"});
  expect_refused([] { as_eigen<float>(scalar_tensor(1.0)); }, {"shape []", "1 or 2 dimensions"});
  expect_refused([] { as_eigen<float>(zeros({1, 2, 3})); }, {"[1, 2, 3]", "1 or 2 dimensions"});
  expect_refused([] { as_eigen<float>(zeros({2}, {.device = Device::meta})); }, {"on meta"});
  static_assert(!EigenScalar<Float8E4M3fn> && !EigenScalar<std::complex<double>>);
}

TEST(Eigen, ExpressionsOfEveryKindBecomeTensors) {
  const Tensor x = from_data<double>({1, 2, 3, 4}).view({2, 2});
  const auto map = as_eigen<const double>(x);
  const auto equals = [](const Tensor& got, std::initializer_list<double> want,
                         const Shape& shape) {
    EXPECT_EQ(difference(got, from_data(want).view(shape)), "");
  };
  equals(tensor_from(map * map), {7, 10, 15, 22}, {2, 2});
  equals(tensor_from(map.array() * map.array() + 1), {2, 5, 10, 17}, {2, 2});
  equals(tensor_from(map.row(1)), {3, 4}, {2});
  equals(tensor_from(map.colwise().sum()), {4, 6}, {2});
  equals(tensor_from(map.diagonal().asDiagonal()), {1, 0, 0, 4}, {2, 2});
  equals(tensor_from(map.triangularView<Eigen::Upper>()), {1, 2, 0, 4}, {2, 2});
  equals(tensor_from(Eigen::Matrix2d{{0, 1}, {2, 3}}), {0, 1, 2, 3}, {2, 2});
  EXPECT_EQ(tensor_from((map.array() > 2).matrix()).dtype(), DType::boolean);
}

struct Sizes {
  std::int64_t m, k, n;
};
const Sizes odd[] = {{1, 1, 1}, {1, 300, 5}, {13, 257, 33}, {70, 31, 66}, {129, 64, 1}, {3, 0, 4}};

EigenMatrix<double> matrix_of(const Tensor& x) {
  if (x.dtype() == DType::fp32) return as_eigen<const float>(x).cast<double>();
  return as_eigen<const double>(x);
}

// |result - exact| <= k u / (1 - k u) |a| |b| (matmul.h). For fp64 Eigen's sum is off by as much.
void expect_product(const Tensor& a, const Tensor& b) {
  const EigenMatrix<double> x = matrix_of(a), y = matrix_of(b);
  const EigenMatrix<double> exact = x * y, size = x.cwiseAbs() * y.cwiseAbs();
  const double k = static_cast<double>(a.size(1)) + 1;
  const double u = a.dtype() == DType::fp64 ? 0x1p-52 : 0x1p-24;
  const EigenMatrix<double> error = (matrix_of(matmul(a, b)) - exact).cwiseAbs();
  EXPECT_TRUE((error.array() <= k * u / (1 - k * u) * size.array()).all())
      << to_string(a.shape()) << " x " << to_string(b.shape()) << " with strides "
      << to_string(a.strides()) << " and " << to_string(b.strides());
}

TEST(Eigen, AgreesOnProducts) {
  Generator generator(2);
  for (const auto& [m, k, n] : odd)
    for (const DType dtype : {DType::fp32, DType::fp64}) {
      const Tensor a = randn({m, k}, {.dtype = dtype}, generator);
      const Tensor b = randn({k, n}, {.dtype = dtype}, generator);
      for (const Tensor& x : layouts(a))
        for (const Tensor& y : layouts(b)) expect_product(x, y);
    }
}

TEST(Eigen, AgreesOnProductsOfIntegersBitForBit) {
  Generator generator(3);
  for (const auto& [m, k, n] : odd) {
    const Tensor a = randint(-1000000, 1000000, {m, k}, {.dtype = DType::int64}, generator);
    const Tensor b = randint(-1000000, 1000000, {k, n}, {.dtype = DType::int64}, generator);
    for (const Tensor& x : layouts(a))
      for (const Tensor& y : layouts(b))
        EXPECT_EQ(difference(matmul(x, y), tensor_from(as_eigen<const std::int64_t>(x) *
                                                       as_eigen<const std::int64_t>(y))),
                  "");
  }
}

// Gaussian elimination with pivots leaves a residual of some n u |a| |x|.
TEST(Eigen, SolvesWhatOurProductMultipliesBack) {
  Generator generator(4);
  for (const std::int64_t n : {1, 7, 64}) {
    const Tensor a = randn({n, n}, {.dtype = DType::fp64}, generator);
    const Tensor b = randn({n, 3}, {.dtype = DType::fp64}, generator);
    for (const Tensor& matrix : layouts(a)) {
      const Tensor x = tensor_from(matrix_of(matrix).partialPivLu().solve(matrix_of(b)));
      const double residual = norm(matmul(matrix, x) - b).item().to_double();
      const double size = norm(a).item().to_double() * norm(x).item().to_double();
      EXPECT_LE(residual, 4 * static_cast<double>(n) * 0x1p-53 * size) << n;
    }
  }
}

// a a' is rebuilt from its eigenvectors, which are perpendicular; its eigenvalues add up to its
// trace, |a|^2, and multiply to its determinant, that of a squared.
TEST(Eigen, DecomposesWhatOurProductRebuilds) {
  Generator generator(5);
  for (const std::int64_t n : {1, 9, 40}) {
    const Tensor a = randn({n, n}, {.dtype = DType::fp64}, generator);
    const Tensor square = matmul(a, a.t());
    const Eigen::SelfAdjointEigenSolver<EigenMatrix<double>> solver(matrix_of(square));
    const Tensor vectors = tensor_from(solver.eigenvectors());
    const Tensor values = tensor_from(solver.eigenvalues());
    ASSERT_EQ(values.shape(), Shape{n});

    const double size = norm(square).item().to_double();
    const double bound = 16 * static_cast<double>(n) * 0x1p-53;
    const auto length = [](const Tensor& x) { return norm(x).item().to_double(); };
    EXPECT_LE(length(matmul(vectors * values, vectors.t()) - square), bound * size) << n;
    const Tensor identity = tensor_from(EigenMatrix<double>::Identity(n, n));
    EXPECT_LE(length(matmul(vectors.t(), vectors) - identity), 4 * bound) << n;
    EXPECT_NEAR(sum(values).item().to_double(), std::pow(length(a), 2), bound * size) << n;
    const double determinant = matrix_of(a).partialPivLu().determinant();
    EXPECT_NEAR(prod(values).item().to_double() / (determinant * determinant), 1, 1e-9) << n;
  }
}

TEST(Eigen, AgreesOnReductions) {
  Generator generator(7);
  for (const Shape& shape : {Shape{1, 1}, Shape{37, 53}, Shape{200, 9}})
    for (const Tensor& x : layouts(randn(shape, {.dtype = DType::fp32}, generator))) {
      const EigenMatrix<double> m = matrix_of(x), sizes = m.cwiseAbs();
      const double rounding = 40 * 0x1p-24;  // 32 + 5 + log2(n / 1024) units (reduce.h)
      EXPECT_NEAR(sum(x).item().to_double(), m.sum(), rounding * sizes.sum());
      EXPECT_NEAR(norm(x).item().to_double(), m.norm(), 0x1p-23 * m.norm());
      EXPECT_EQ(max(x).item().to_double(), m.maxCoeff());
      EXPECT_EQ(min(x).item().to_double(), m.minCoeff());
      const Tensor columns = sum(x, {0}), rows = max(x, {1});
      for (std::int64_t j = 0; j < shape[1]; ++j)
        EXPECT_NEAR(columns.at({j}).to_double(), m.col(j).sum(), rounding * sizes.col(j).sum());
      for (std::int64_t i = 0; i < shape[0]; ++i)
        EXPECT_EQ(rows.at({i}).to_double(), m.row(i).maxCoeff());
      const Tensor whole = (x * 100).to(DType::int64);
      EXPECT_EQ(sum(whole).item().to_int64(), as_eigen<const std::int64_t>(whole).sum());
    }
}

}  // namespace
}  // namespace napkin
