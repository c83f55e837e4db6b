// What cuBLAS is to be told so that it computes a product of matrices found by strides.
//
// cuBLAS knows matrices whose columns are unbroken. A matrix with unbroken rows is for it the
// transposed one; the product of two such, with rows unbroken in the result as well, is that of the
// transposed matrices in the other order: (a b)^T = b^T a^T.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/gpu/blas/blas.h"

namespace napkin::gpu {

struct BlasOperand {
  const void* data = nullptr;
  bool transposed = false;
  std::int64_t rows = 0, columns = 0;  // as they stand in memory, before transposing
  std::int64_t step = 1;               // from column to column: the "leading dimension"
  std::int64_t batch = 0;
};

// result (m, n) = first (m, k) second (k, n), columns unbroken.
struct BlasPlan {
  std::int64_t m, n, k;
  BlasOperand first, second, result;
};

namespace detail {

// x (rows, columns) as an operand.
inline BlasOperand blas_operand(const BlasMatrix& x, std::int64_t rows, std::int64_t columns) {
  const auto at_least = [](std::int64_t step, std::int64_t size) {
    return std::max<std::int64_t>({step, size, 1});
  };
  if (x.row == 1) return {x.data, false, rows, columns, at_least(x.column, rows), x.batch};
  return {x.data, true, columns, rows, at_least(x.row, columns), x.batch};
}

inline BlasMatrix turned(const BlasMatrix& x) { return {x.data, x.column, x.row, x.batch}; }

}  // namespace detail

inline BlasPlan blas_plan(const BlasProduct& p) {
  using namespace detail;
  if (p.c.column != 1)
    return {p.m,
            p.n,
            p.k,
            blas_operand(p.a, p.m, p.k),
            blas_operand(p.b, p.k, p.n),
            blas_operand(p.c, p.m, p.n)};
  return {p.n,
          p.m,
          p.k,
          blas_operand(turned(p.b), p.n, p.k),
          blas_operand(turned(p.a), p.k, p.m),
          blas_operand(turned(p.c), p.n, p.m)};
}

}  // namespace napkin::gpu
