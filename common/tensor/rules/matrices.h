// Matrices found by strides, and what a product of them is, on every device.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

namespace napkin {

// A matrix in memory: element (i, j) stands `i * row + j * column` elements after the first one.
struct Matrix {
  std::byte* data = nullptr;
  std::int64_t row = 0, column = 0;

  Matrix transposed() const { return {data, column, row}; }
};

// c (m, n) = alpha a (m, k) b (k, n) + beta c; c is not read where beta is 0, and overlaps neither
// a nor b. Any strides; fast where one stride of each matrix is 1.
struct MatrixProduct {
  DType dtype = DType::fp32;
  std::int64_t m = 0, n = 0, k = 0;
  Matrix a, b, c;
  double alpha = 1, beta = 0;
};

// Many of them: the matrices of batch (i, j, ...) start i * a[0] + j * a[1] + ... elements later.
struct Batches {
  Shape shape;
  Strides a, b, c;
};

// The same products as fewer batches: those that continue the rows of a and c over one b become
// rows, neighbours that continue each other become one.
void simplify(MatrixProduct& product, Batches& batches);
// The product of that number, counted with the last batch dimension fastest.
MatrixProduct at_batch(MatrixProduct product, const Batches& batches, std::int64_t number);

}  // namespace napkin
