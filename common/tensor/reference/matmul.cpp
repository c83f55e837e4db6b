// c_ij = a_i1 b_1j + a_i2 b_2j + ... for each matrix of the batch (lecture 4.2).
#include "common/tensor/reference/elements.h"
#include "common/tensor/reference/reference.h"

namespace napkin::reference {
namespace {

// The sizes before the matrix's own two.
Shape batch_of(const Tensor& matrices) {
  Shape batch = matrices.shape();
  batch.erase(batch.size() - 1);
  batch.erase(batch.size() - 1);
  return batch;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  const Tensor x = a.rank() == 1 ? a.unsqueeze(0) : a;  // (..., m, k)
  const Tensor y = b.rank() == 1 ? b.unsqueeze(1) : b;  // (..., k, n)
  check(x.size(-1) == y.size(-2), "the reference: {} by {} elements", x.size(-1), y.size(-2));
  Shape shape = broadcast(batch_of(x), batch_of(y));
  const int row = shape.size(), column = row + 1;
  shape.push_back(x.size(-2));
  shape.push_back(y.size(-1));
  const DType dtype = is_floating(x.dtype()) ? DType::fp64 : x.dtype();
  const Tensor result = build(shape, dtype, [&](const Dims& i) {
    Dims in_x = i, in_y = i;
    Scalar sum = rounded(0, sum_type(dtype));
    for (std::int64_t k = 0; k < x.size(-1); ++k) {
      in_x[column] = in_y[row] = k;
      sum = plus(sum, times(at(x, in_x), at(y, in_y)));
    }
    return sum;
  });
  Shape without_vectors = shape;
  if (b.rank() == 1) without_vectors.erase(column);
  if (a.rank() == 1) without_vectors.erase(row);
  return result.view(without_vectors);
}

}  // namespace napkin::reference
