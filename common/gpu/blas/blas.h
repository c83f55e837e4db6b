// Matrix products on the GPU: cuBLAS and cuBLASLt behind one handle.
//
// The libraries are half a gigabyte and are loaded when first needed, so that a program starts
// fast, and also without them. Everything goes into the stream (stream.h): nothing waits, and once
// the first product has run, a graph can record the next ones. The workspace is fixed and atomic
// additions are off, so that a product has the same bits every time on one kind of GPU. fp32 is
// multiplied in full FP32, 16-bit formats are added up in FP32.
#pragma once
#include <cstdint>

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

// By cuBLAS, or, once search_product was called for its shape, by what that found. Refuses where
// the libraries are missing.
void multiply(const BlasProduct& product);

// Tries the kernels of cuBLASLt for this shape, these strides and this alignment, keeps the fastest
// for multiply, and returns its seconds. Waits for the GPU. c is written many times: afterwards it
// is the product where beta is 0, and of no use where it is not.
double search_product(const BlasProduct& product, int candidates = 8);

}  // namespace napkin::gpu
