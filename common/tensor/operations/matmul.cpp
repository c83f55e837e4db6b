#include "common/tensor/operations/matmul.h"

#include <cmath>

#include "common/core/observer.h"
#include "common/tensor/cpu/product/product.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/product/product.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/views.h"

namespace napkin {
namespace {

// An operand as matrices: the last two dimensions, and those before them.
struct Matrices {
  Tensor tensor;
  Layout layout;  // of rank 2 at least: a vector is one row, or one column

  std::int64_t rows() const { return layout.shape[layout.rank() - 2]; }
  std::int64_t columns() const { return layout.shape[layout.rank() - 1]; }
  Shape batch() const {
    return Shape(std::span(layout.shape.begin(), static_cast<std::size_t>(layout.rank() - 2)));
  }
};

Matrices matrices_of(const Tensor& x, bool is_left) {
  Matrices m{x, x.layout()};
  if (x.rank() == 1) m.layout = unsqueeze(m.layout, is_left ? 0 : 1);
  return m;
}

// Its strides along rows and columns. Where a size is 1 its stride does not matter and is chosen so
// that one of them is 1.
Matrix matrix_of(const Matrices& x) {
  Matrix m{nullptr, x.layout.strides[x.layout.rank() - 2], x.layout.strides[x.layout.rank() - 1]};
  const auto choose = [](std::int64_t other, std::int64_t other_size) {
    return other == 1 ? other_size : 1;
  };
  if (x.columns() == 1) m.column = choose(m.row, x.rows());
  if (x.rows() == 1) m.row = choose(m.column, x.columns());
  return m;
}

// Whether the engines can read it: unbroken rows or columns that do not overlap.
bool is_readable(const Matrices& x) {
  const Matrix m = matrix_of(x);
  return (m.column == 1 && m.row >= x.columns()) || (m.row == 1 && m.column >= x.rows());
}

struct Plan {
  Matrices a, b;
  Shape batch, shape;  // of the result: with its rows and columns, if it has such
  std::int64_t bytes;  // of the operands
};

Plan plan(const Tensor& a, const Tensor& b) {
  check(a.rank() > 0 && b.rank() > 0,
        "matmul: shapes {} and {}: both operands need at least one dimension", a.shape(),
        b.shape());
  check(a.device() == b.device(), "matmul: one operand is on {}, the other on {}", name(a.device()),
        name(b.device()));
  check(a.dtype() == b.dtype(), "matmul: one operand is {}, the other {}; convert one of them",
        name(a.dtype()), name(b.dtype()));
  check_defined(Op::matmul, a.dtype(), a.device());
  Plan p{
      matrices_of(a, true), matrices_of(b, false), {}, {}, distinct_bytes(a) + distinct_bytes(b)};
  check(p.a.columns() == p.b.rows(), "matmul: {} by {}: the inner sizes {} and {} differ",
        a.shape(), b.shape(), p.a.columns(), p.b.rows());
  p.batch = broadcast(p.a.batch(), p.b.batch());
  p.shape = p.batch;
  if (a.rank() > 1) p.shape.push_back(p.a.rows());
  if (b.rank() > 1) p.shape.push_back(p.b.columns());
  return p;
}

// Steps from batch to batch: 0 where there is only one matrix for all.
Strides batch_strides(const Matrices& x, const Shape& batch) {
  Layout own;
  own.shape = x.batch();
  for (int d = 0; d < own.shape.size(); ++d) own.strides.push_back(x.layout.strides[d]);
  return expand(own, batch).strides;
}

// The result with the row or column that vectors leave out.
Matrices result_matrices(const Tensor& result, const Plan& p) {
  Matrices c{result, result.layout()};
  if (p.b.tensor.rank() == 1) c.layout = unsqueeze(c.layout, c.layout.rank());
  if (p.a.tensor.rank() == 1) c.layout = unsqueeze(c.layout, c.layout.rank() - 1);
  return c;
}

void run(const Tensor& result, const Plan& p, double alpha, double beta) {
  const Tensor &a = p.a.tensor, &b = p.b.tensor;
  const Matrices c = result_matrices(result, p);
  MatrixProduct product{a.dtype(),      p.a.rows(),   p.b.columns(), p.a.columns(), matrix_of(p.a),
                        matrix_of(p.b), matrix_of(c), alpha,         beta};
  if (result.device() != Device::meta && result.numel() > 0) {
    product.a.data = static_cast<std::byte*>(a.raw_data());
    product.b.data = static_cast<std::byte*>(b.raw_data());
    product.c.data = static_cast<std::byte*>(result.raw_data());
    const Batches batches{p.batch, batch_strides(p.a, p.batch), batch_strides(p.b, p.batch),
                          batch_strides(c, p.batch)};
    if (result.device() == Device::cuda && product.k == 0)
      beta == 0 ? Tensor(result).zero_() : Tensor(result).mul_(beta);
    else if (result.device() == Device::cuda)
      cuda::multiply(product, batches);
    else
      cpu::multiply(product, batches);
  }
  notify(OperationEvent{"matmul", result.device(),
                        2.0 * static_cast<double>(result.numel()) * static_cast<double>(product.k),
                        p.bytes + (beta == 0 ? 0 : result.bytes()), result.bytes()});
}

Matrices copy_of(const Matrices& x, bool is_left) {
  const Tensor copy = empty(x.tensor.shape(), {x.tensor.dtype(), x.tensor.device()});
  copy_elements(copy, x.tensor);
  return matrices_of(copy, is_left);
}

// Copies the operands that the engines cannot read, or that stand where the result is written.
void make_readable(Plan& p, const Tensor& result) {
  if (result.device() == Device::meta) return;
  if (!is_readable(p.a) || may_share_memory(p.a.tensor, result)) p.a = copy_of(p.a, true);
  if (!is_readable(p.b) || may_share_memory(p.b.tensor, result)) p.b = copy_of(p.b, false);
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  const Autocasted operands(Op::matmul, a, b);
  Plan p = plan(operands[0], operands[1]);
  const Tensor result = empty(p.shape, {.dtype = operands[0].dtype(), .device = a.device()});
  make_readable(p, result);
  run(result, p, 1, 0);
  return result;
}

void matmul_into(Tensor& result, const Tensor& a, const Tensor& b, double alpha, double beta) {
  Plan p = plan(a, b);
  check_writable(result, "matmul_into");
  for (const double factor : {alpha, beta})
    check(is_floating(a.dtype()) || (std::trunc(factor) == factor && std::abs(factor) <= 0x1p53),
          "matmul_into: a factor of {} with {} operands: a whole number up to 2^53 is needed",
          factor, name(a.dtype()));
  check(result.device() == a.device() && result.dtype() == a.dtype(),
        "matmul_into: the result is {} on {}, the operands are {} on {}", name(result.dtype()),
        name(result.device()), name(a.dtype()), name(a.device()));
  check(result.shape() == p.shape, "matmul_into: the product has shape {}, the result {}", p.shape,
        result.shape());
  if (!is_readable(result_matrices(result, p))) {
    Tensor unbroken = result.contiguous();
    matmul_into(unbroken, a, b, alpha, beta);
    result.copy_(unbroken);
    return;
  }
  make_readable(p, result);
  run(result, p, alpha, beta);
  result.storage()->bump_version();
}

}  // namespace napkin
