#include "common/autograd/matmul.h"

#include <array>
#include <optional>

#include "common/autograd/node.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/matmul.h"

namespace napkin::autograd {
namespace {

// Operands in the type that an autocast scope asks for; the casts are recorded, so that gradients
// come back in the operands' own types.
Variable cast(const Variable& x, const std::optional<Tensor>& as) {
  if (!as) return x;
  return record("to", *as, d(x, [](const Tensor& g) { return g; }));
}

// A batch of rows as one matrix: (..., m, k) to (... m, k).
Tensor rows_of(const Tensor& x) { return x.reshape({-1, x.size(-1)}); }

// Vectors as matrices: a row on the left, a column on the right.
Tensor left_matrix(const Tensor& a) { return a.rank() == 1 ? a.unsqueeze(0) : a; }
Tensor right_matrix(const Tensor& b) { return b.rank() == 1 ? b.unsqueeze(1) : b; }

// The result's gradient as it would be of matrices.
Tensor as_matrices(const Tensor& g, int rank_a, int rank_b) {
  Tensor whole = g;
  if (rank_b == 1) whole = whole.unsqueeze(-1);
  if (rank_a == 1) whole = whole.unsqueeze(-2);
  return whole;
}

// d/da = g b^T, seen as a: a vector again where a was one.
Tensor gradient_of_left(const Tensor& g, int rank_a, const Tensor& b) {
  const Tensor whole = as_matrices(g, rank_a, b.rank());
  const Tensor part = napkin::matmul(whole, right_matrix(b).transpose(-2, -1));
  return rank_a == 1 ? part.select(-2, 0) : part;
}

// d/db = a^T g. One matrix for a batch of rows: all rows at once, rather than a product for each
// and their sum.
Tensor gradient_of_right(const Tensor& g, const Tensor& a, int rank_b) {
  const Tensor whole = as_matrices(g, a.rank(), rank_b);
  if (rank_b <= 2 && a.rank() > 2 && a.numel() > 0) {
    const Tensor part = napkin::matmul(rows_of(a).t(), rows_of(whole));
    return rank_b == 1 ? part.select(-1, 0) : part;
  }
  const Tensor part = napkin::matmul(left_matrix(a).transpose(-2, -1), whole);
  return rank_b == 1 ? part.select(-1, 0) : part;
}

Variable product(const Variable& a, const Variable& b) {
  return record("matmul", napkin::matmul(a.value(), b.value()),
                d(a, [b = save(b, a),
                      rank = a.rank()](const Tensor& g) { return gradient_of_left(g, rank, b()); }),
                d(b, [a = save(a, b), rank = b.rank()](const Tensor& g) {
                  return gradient_of_right(g, a(), rank);
                }));
}

}  // namespace

Variable matmul(const Variable& a, const Variable& b) {
  if (newest_autocast == nullptr) [[likely]]
    return product(a, b);
  std::array<const Tensor*, 2> operands = {&a.value(), &b.value()};
  std::array<std::optional<Tensor>, 2> room;
  autocast(Op::matmul, operands, room);
  return product(cast(a, room[0]), cast(b, room[1]));
}

}  // namespace napkin::autograd
