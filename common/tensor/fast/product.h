// Products of matrices on the CPU: c = alpha a b + beta c, for matrices found by strides.
//
// Every element of c is one chain of fused multiply-adds over k, from first to last (fp32, bf16 and
// fp16 in FP32, fp64 in FP64, integers modulo 2^64), rounded to its dtype once. What threads, tiles
// and batches do never shows in the bits, nor does AVX-512 against AVX2; the baseline of x86 has no
// fused instruction and rounds the product, too. Chains against a single column or row run in 32
// lanes where the elements of one chain stand side by side; their order is as fixed.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"
#include "common/tensor/dims.h"

namespace napkin::fast {

// A matrix in memory: element (i, j) stands `i * row + j * column` elements after the first one.
struct Matrix {
  std::byte* data = nullptr;
  std::int64_t row = 0, column = 0;

  Matrix transposed() const { return {data, column, row}; }
};

// c (m, n) = alpha a (m, k) b (k, n) + beta c; c is not read where beta is 0, and overlaps neither
// a nor b. Any strides; fast where one stride of each matrix is 1.
struct Product {
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
void simplify(Product& product, Batches& batches);
// The product of that number, counted with the last batch dimension fastest.
Product at_batch(Product product, const Batches& batches, std::int64_t number);

void multiply(const Product& product, const Batches& batches = {});

}  // namespace napkin::fast
