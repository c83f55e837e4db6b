// What cuBLAS is to be told so that it computes a product of matrices found by strides.
//
// cuBLAS knows matrices whose columns are unbroken. A matrix with unbroken rows is for it the
// transposed one; the product of two such, with rows unbroken in the result as well, is that of the
// transposed matrices in the other order: (a b)^T = b^T a^T.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

namespace napkin::gpu {

// A matrix in memory of the GPU, one of several `batch` elements apart: element (i, j) stands
// `i * row + j * column` elements after the first one. One of the strides is 1 and the other at
// least the size along the first, but where a size is 1.
struct BlasMatrix {
  const void* data = nullptr;
  std::int64_t row = 0, column = 0, batch = 0;
};

enum class BlasNumber : std::uint8_t { fp64, fp32, bf16, fp16 };
enum class Precision : std::uint8_t {
  full,
  tf32  // fp32 operands are cut to 10 bits of fraction on the way into the tensor cores
};

// c (m, n) = alpha a (m, k) b (k, n) + beta c, for each batch; c is written, and not read where
// beta is 0. A batch stride of 0 in a and b means the same matrix for all.
struct BlasProduct {
  BlasNumber number = BlasNumber::fp32;
  std::int64_t m = 0, n = 0, k = 0;
  BlasMatrix a, b, c;
  std::int64_t batches = 1;
  double alpha = 1, beta = 0;
  Precision precision = Precision::full;
};

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
