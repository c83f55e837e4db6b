// What products are made of, for several instruction sets. Memory is of the dtype's compute type,
// but for `dots` and `combine`, which read a and b as bf16 and fp16 where that is the dtype.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"

namespace napkin::cpu {

// Blocks of a (m, k) are packed as rows that are `row_step` elements apart, of b (k, n) as panels
// (k, panel) one behind the other, the last one filled up with anything.
struct ProductLoops {
  std::int64_t panel;  // columns of b that are multiplied at once
  // c = a b, or c += a b, by a chain of fused multiply-adds for each element.
  void (*block)(void* c, std::int64_t c_row, const void* a, const void* b, std::int64_t m,
                std::int64_t n, std::int64_t k, bool onto);
  // y[i] = row i of a times x, in 32 lanes; a row is unbroken, the next begins a_row later.
  void (*dots)(void* y, const void* a, std::int64_t a_row, const void* x, std::int64_t rows,
               std::int64_t k);
  // y[j] += x[0] b[0][j] + ... + x[k-1] b[k-1][j], in that order.
  void (*combine)(void* y, const void* x, const void* b, std::int64_t b_row, std::int64_t k,
                  std::int64_t n);
};

inline constexpr std::int64_t product_depth = 256;  // the longest k of a block
inline constexpr std::int64_t product_row_step = product_depth + 16;

ProductLoops product_loops(DType dtype);

}  // namespace napkin::cpu
