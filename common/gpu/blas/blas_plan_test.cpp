// What cuBLAS would compute from a plan, by the definition in its manual, against the product of
// the strided matrices.
#include "common/gpu/blas/blas_plan.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace napkin::gpu {
namespace {

// Element (i, j) of op(x), its columns unbroken.
double element(const BlasOperand& x, std::int64_t batch, std::int64_t i, std::int64_t j) {
  if (x.transposed) std::swap(i, j);
  return static_cast<const double*>(x.data)[batch * x.batch + i + j * x.step];
}

// cublasGemmStridedBatchedEx.
void as_cublas(const BlasPlan& p, std::int64_t batches, double alpha, double beta) {
  for (std::int64_t batch = 0; batch < batches; ++batch)
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t j = 0; j < p.n; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < p.k; ++k)
          sum += element(p.first, batch, i, k) * element(p.second, batch, k, j);
        auto* c = static_cast<double*>(const_cast<void*>(p.result.data)) + batch * p.result.batch +
                  i + j * p.result.step;
        *c = alpha * sum + (beta == 0 ? 0 : beta * *c);
      }
}

double& at(std::vector<double>& memory, const BlasMatrix& x, std::int64_t batch, std::int64_t i,
           std::int64_t j) {
  return memory.at(static_cast<std::size_t>(batch * x.batch + i * x.row + j * x.column));
}

struct Way {
  bool by_rows;
  std::int64_t gap;
  bool shared;  // one matrix for all batches
};

// Memory for `batches` matrices of that size, filled with small numbers.
BlasMatrix make(std::vector<double>& memory, std::int64_t rows, std::int64_t columns,
                std::int64_t batches, Way way, int seed) {
  const std::int64_t lines = way.by_rows ? rows : columns;
  const std::int64_t step = (way.by_rows ? columns : rows) + way.gap;
  BlasMatrix x{nullptr, way.by_rows ? step : 1, way.by_rows ? 1 : step,
               way.shared ? 0 : lines * step};
  memory.resize(static_cast<std::size_t>(batches * lines * step + 1));
  for (std::size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(seed)) % 11) - 5;
  x.data = memory.data();
  return x;
}

// What the libraries demand of the steps between columns.
void expect_accepted(const BlasOperand& x) { EXPECT_GE(x.step, std::max<std::int64_t>(1, x.rows)); }

void expect_right(BlasProduct p, Way way_a, Way way_b, Way way_c) {
  std::vector<double> a, b, c;
  p.a = make(a, p.m, p.k, p.batches, way_a, 1);
  p.b = make(b, p.k, p.n, p.batches, way_b, 2);
  p.c = make(c, p.m, p.n, p.batches, way_c, 3);
  std::vector<double> want = c;
  for (std::int64_t batch = 0; batch < p.batches; ++batch)
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t j = 0; j < p.n; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < p.k; ++k)
          sum += at(a, p.a, batch, i, k) * at(b, p.b, batch, k, j);
        double& to = at(want, p.c, batch, i, j);
        to = p.alpha * sum + (p.beta == 0 ? 0 : p.beta * to);
      }
  const BlasPlan plan = blas_plan(p);
  for (const BlasOperand& x : {plan.first, plan.second, plan.result}) expect_accepted(x);
  EXPECT_FALSE(plan.result.transposed);
  EXPECT_EQ(plan.first.transposed ? plan.first.columns : plan.first.rows, plan.m);
  EXPECT_EQ(plan.first.transposed ? plan.first.rows : plan.first.columns, plan.k);
  EXPECT_EQ(plan.second.transposed ? plan.second.columns : plan.second.rows, plan.k);
  EXPECT_EQ(plan.second.transposed ? plan.second.rows : plan.second.columns, plan.n);
  EXPECT_EQ(plan.result.rows, plan.m);
  EXPECT_EQ(plan.result.columns, plan.n);
  as_cublas(plan, p.batches, p.alpha, p.beta);
  EXPECT_EQ(c, want) << p.m << " " << p.k << " " << p.n;
}

TEST(BlasPlan, IsTheProductForAllStrides) {
  const Way ways[] = {
      {true, 0, false}, {false, 0, false}, {true, 3, false}, {false, 2, true}, {true, 0, true}};
  const std::int64_t sizes[][3] = {{3, 4, 5}, {1, 4, 5}, {3, 1, 5}, {3, 4, 1}, {1, 1, 1},
                                   {1, 6, 1}, {5, 1, 1}, {1, 1, 5}, {2, 0, 3}};
  for (const auto& [m, k, n] : sizes)
    for (const Way& way_a : ways)
      for (const Way& way_b : ways)
        for (const Way& way_c : {ways[0], ways[1], ways[2], Way{false, 2, false}}) {
          BlasProduct p;
          p.m = m;
          p.k = k;
          p.n = n;
          p.batches = 3;
          expect_right(p, way_a, way_b, way_c);
          p.alpha = 2;
          p.beta = -3;
          expect_right(p, way_a, way_b, way_c);
        }
}

}  // namespace
}  // namespace napkin::gpu
