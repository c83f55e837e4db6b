// Every operation of the table (operations/table.h) once more, as the plainest loop over indices:
// what an operation means, without strides, vectors, threads or a GPU. Read this before the rest of
// the library; the tests hold every operation against it.
//
// Tensors go in, of any layout, on the CPU; a new row-major tensor comes out. What it holds:
// - elementwise: the operation's own scalar rule (rules/), on elements read one by one. Its bits.
// - copied elements (copy, cat, index_select, sort ...) and places (argmax): exactly those.
// - sums and what is made of them: FP64, not rounded to the operands' dtype; integers modulo 2^64,
//   or 2^bits where the operation keeps its dtype. An operation lies within its stated bound of it.
// Refusals are left to the operations.
#pragma once
#include <optional>

#include "common/tensor/rules/operands.h"
#include "common/tensor/rules/sorted.h"
#include "common/tensor/tensor.h"

namespace napkin::reference {

// Elementwise (elementwise.cpp). An Input is a tensor or a plain number; shapes broadcast.

Tensor add(Input a, Input b, Scalar alpha = 1);  // a + alpha b
Tensor sub(Input a, Input b, Scalar alpha = 1);  // a - alpha b
Tensor mul(Input a, Input b);                    // a b
Tensor div(Input a, Input b);                    // a / b
Tensor neg(Input a);                             // -a
Tensor abs(Input a);                             // a or -a
Tensor sign(Input a);                            // -1, 0 or 1
Tensor exp(Input a);                             // e^a
Tensor log(Input a);                             // the x with e^x = a
Tensor sqrt(Input a);                            // the x >= 0 with x^2 = a
Tensor rsqrt(Input a);                           // 1 / sqrt(a)
Tensor tanh(Input a);                            // (e^2a - 1) / (e^2a + 1)
Tensor sigmoid(Input a);                         // 1 / (1 + e^-a)
Tensor relu(Input a);                            // a, but 0 where a < 0
Tensor gelu(Input a);                            // a/2 (1 + erf(a / sqrt(2)))
// a/2 (1 + tanh(sqrt(2 / pi) (a + 0.044715 a^3)))
Tensor gelu_tanh(Input a);
Tensor maximum(Input a, Input b);                             // the larger one; NaN wins
Tensor minimum(Input a, Input b);                             // the smaller one; NaN wins
Tensor eq(Input a, Input b);                                  // a = b, as bool
Tensor ne(Input a, Input b);                                  // not a = b
Tensor lt(Input a, Input b);                                  // a < b
Tensor le(Input a, Input b);                                  // a <= b
Tensor gt(Input a, Input b);                                  // a > b
Tensor ge(Input a, Input b);                                  // a >= b
Tensor where(const Tensor& condition, Input a, Input b);      // condition ? a : b
Tensor addcmul(Input a, Input b, Input c, Scalar value = 1);  // a + value b c
Tensor lerp(Input a, Input b, Input weight);                  // a + weight (b - a)
Tensor clamp(Input a, std::optional<Scalar> low, std::optional<Scalar> high);  // low <= a <= high

// Reductions over some dimensions, or all where none is named (reduce.cpp). They stay, with size 1,
// where `keep` is true. x_1 ... x_n: the elements that one result is made of.

Tensor sum(const Tensor& x, const Dims& over = {}, bool keep = false);     // x_1 + ... + x_n
Tensor mean(const Tensor& x, const Dims& over = {}, bool keep = false);    // sum / n
Tensor prod(const Tensor& x, const Dims& over = {}, bool keep = false);    // x_1 ... x_n
Tensor max(const Tensor& x, const Dims& over = {}, bool keep = false);     // the largest; NaN wins
Tensor min(const Tensor& x, const Dims& over = {}, bool keep = false);     // the smallest; NaN wins
Tensor argmax(const Tensor& x, const Dims& over = {}, bool keep = false);  // the first max's place
Tensor argmin(const Tensor& x, const Dims& over = {}, bool keep = false);  // the first min's place
// sum (x_i - mean)^2 / (n - correction)
Tensor var(const Tensor& x, const Dims& over = {}, double correction = 1, bool keep = false);
// (sum |x_i|^p)^(1/p); the largest |x_i| for p = inf, the smallest for -inf, how many are not 0 for
// 0
Tensor norm(const Tensor& x, double p = 2, const Dims& over = {}, bool keep = false);

// Along one dimension, for each line x_1 ... x_n of it (along.cpp).

Tensor softmax(const Tensor& x, int d);                             // y_i = e^x_i / sum_j e^x_j
Tensor log_softmax(const Tensor& x, int d);                         // y_i = x_i - log sum_j e^x_j
Tensor cumsum(const Tensor& x, int d);                              // y_i = x_1 + ... + x_i
Sorted sort(const Tensor& x, int d = -1, bool descending = false);  // equal ones keep their order
Sorted topk(const Tensor& x, std::int64_t k, int d = -1, bool largest = true);  // k first of sort

// Products (matmul.cpp): c_ij = sum_k a_ik b_kj; (..., m, k) by (..., k, n) gives (..., m, n), with
// leading sizes that broadcast. A vector is a row on the left, a column on the right.

Tensor matmul(const Tensor& a, const Tensor& b);

// Elements picked, added by position, joined and copied (index.cpp). Formulas: two dimensions, d
// = 1.

Tensor index_select(const Tensor& x, int d, const Tensor& index);  // y_ij = x[i, index_j]
Tensor gather(const Tensor& x, int d, const Tensor& index);        // y_ij = x[i, index_ij]
// y = x, then y[i, index_ij] += source_ij for each i, j
Tensor scatter_add(const Tensor& x, int d, const Tensor& index, const Tensor& source);
// y = x, then y[i, index_j] += source_ij for each i, j
Tensor index_add(const Tensor& x, int d, const Tensor& index, const Tensor& source);
Tensor cat(const std::vector<Tensor>& tensors, int d = 0);    // one behind the other along d
Tensor stack(const std::vector<Tensor>& tensors, int d = 0);  // along a new dimension
Tensor copy(const Tensor& x, DType dtype);                    // y_ij = x_ij, converted
Tensor fill(const Shape& shape, Scalar value, DType dtype);   // y_ij = value

}  // namespace napkin::reference
