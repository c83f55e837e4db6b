// Products on the CPU: which part a thread takes, and in which order it goes through it.
#include "common/tensor/cpu/product/product.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/core/parallel.h"
#include "common/numeric/dtype.h"
#include "common/tensor/cpu/product/panels.h"
#include "common/tensor/cpu/workspace.h"

namespace napkin::cpu {
namespace {

constexpr std::int64_t wide = 512;                // columns of b that are packed at once
constexpr std::int64_t tall = 240;                // rows of a
constexpr std::int64_t worth_a_thread = 1 << 17;  // multiplications

std::int64_t parts(std::int64_t count, std::int64_t part) { return (count + part - 1) / part; }

template <class T>
void combine_scaled(std::byte* sums, const std::byte* old, double alpha, double beta,
                    std::int64_t count) {
  using Number = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;  // wraps around
  Number* x = reinterpret_cast<Number*>(sums);
  const Number* y = reinterpret_cast<const Number*>(old);
  const auto a = static_cast<Number>(static_cast<T>(alpha));
  const auto b = static_cast<Number>(static_cast<T>(beta));
  for (std::int64_t i = 0; i < count; ++i) x[i] = y == nullptr ? a * x[i] : a * x[i] + b * y[i];
}

// One line of c from its sums, which are overwritten: alpha sums + beta c, rounded.
void finish_line(const MatrixProduct& p, std::byte* c, std::int64_t step, std::byte* sums,
                 std::int64_t count) {
  const DType compute = compute_type(p.dtype);
  if (p.alpha != 1 || p.beta != 0) {
    const Workspace<std::byte> old(p.beta == 0 ? 0 : count * size_of(compute));
    if (p.beta != 0) widen_line(old.data(), c, p.dtype, step, count);
    const std::byte* y = p.beta == 0 ? nullptr : old.data();
    if (compute == DType::fp64)
      combine_scaled<double>(sums, y, p.alpha, p.beta, count);
    else if (compute == DType::fp32)
      combine_scaled<float>(sums, y, p.alpha, p.beta, count);
    else
      combine_scaled<std::int64_t>(sums, y, p.alpha, p.beta, count);
  }
  narrow_line(c, p.dtype, step, sums, count);
}

// Products of one thread, with room for the largest of them: b's blocks one after the other, under
// each all rows of a.
class MatrixLoop {
 public:
  explicit MatrixLoop(const MatrixProduct& p)
      : in_place_(p.dtype == compute_type(p.dtype) && p.alpha == 1 && p.beta == 0 &&
                  p.c.column == 1),
        size_(size_of(compute_type(p.dtype))),
        loops_(product_loops(p.dtype)),
        columns_(std::min(p.n, wide)),
        b_(parts(columns_, loops_.panel) * loops_.panel * std::min(p.k, product_depth) * size_),
        a_(std::min(p.m, tall) * product_row_step * size_),
        sums_(in_place_ ? 0 : p.m * columns_ * size_) {}

  void operator()(const MatrixProduct& p) const {
    for (std::int64_t j = 0; j < p.n; j += wide) {
      const std::int64_t n = std::min(wide, p.n - j);
      const Matrix c = in_place_ ? part(p.c, p.dtype, 0, j) : Matrix{sums_.data(), n, 1};
      for (std::int64_t q = 0; q == 0 || q < p.k; q += product_depth)
        add_block(p, c, j, n, q, std::min(product_depth, p.k - q));
      for (std::int64_t i = 0; i < p.m && !in_place_; ++i)
        finish_line(p, part(p.c, p.dtype, i, j).data, p.c.column, c.data + i * n * size_, n);
    }
  }

 private:
  // The products of a's columns and b's rows q to q + k, for c's columns j to j + n.
  void add_block(const MatrixProduct& p, const Matrix& c, std::int64_t j, std::int64_t n,
                 std::int64_t q, std::int64_t k) const {
    pack_panels(b_.data(), part(p.b, p.dtype, q, j), p.dtype, k, n, loops_.panel);
    for (std::int64_t i = 0; i < p.m; i += tall) {
      const std::int64_t m = std::min(tall, p.m - i);
      pack_rows(a_.data(), part(p.a, p.dtype, i, q), p.dtype, m, k);
      loops_.block(c.data + i * c.row * size_, c.row, a_.data(), b_.data(), m, n, k, q > 0);
    }
  }

  bool in_place_;
  std::int64_t size_;
  ProductLoops loops_;
  std::int64_t columns_;
  Workspace<std::byte> b_, a_, sums_;
};

// The same where n is 1: sums of products of a's rows, or of its columns, with one column.
class VectorLoop {
 public:
  explicit VectorLoop(const MatrixProduct& p)
      : by_rows_(p.a.column == 1),
        widens_(!is_floating(p.dtype) && p.dtype != compute_type(p.dtype)),
        size_(size_of(compute_type(p.dtype))),
        loops_(product_loops(p.dtype)),
        length_(by_rows_ ? std::max<std::int64_t>(p.k, 1) : std::min<std::int64_t>(p.m, 1024)),
        lines_(std::clamp<std::int64_t>(16384 / length_, 4, 64)),
        x_(p.k * size_),
        y_(p.m * size_),
        block_(widens_ ? lines_ * length_ * size_ : 0) {}

  void operator()(const MatrixProduct& p) const {
    widen_line(x_.data(), p.b.data, p.dtype, p.b.row, p.k);
    std::memset(y_.data(), 0, static_cast<std::size_t>(p.m * size_));
    if (by_rows_) {
      for (std::int64_t i = 0; i < p.m; i += lines_) {
        const std::int64_t rows = std::min(lines_, p.m - i);
        const Matrix a = read(part(p.a, p.dtype, i, 0), p.dtype, rows, p.k);
        loops_.dots(y_.data() + i * size_, a.data, a.row, x_.data(), rows, p.k);
      }
    } else {
      for (std::int64_t j = 0; j < p.m; j += length_)
        for (std::int64_t i = 0; i < p.k; i += lines_) {
          const std::int64_t rows = std::min(lines_, p.k - i), n = std::min(length_, p.m - j);
          const Matrix a = read(part(p.a.transposed(), p.dtype, i, j), p.dtype, rows, n);
          loops_.combine(y_.data() + j * size_, x_.data() + i * size_, a.data, a.row, rows, n);
        }
    }
    finish_line(p, p.c.data, p.c.row, y_.data(), p.m);
  }

 private:
  // The lines as the loops read them: where they stand, or widened.
  Matrix read(const Matrix& a, DType dtype, std::int64_t lines, std::int64_t length) const {
    if (!widens_) return a;
    for (std::int64_t l = 0; l < lines; ++l)
      widen_line(block_.data() + l * length * size_, part(a, dtype, l, 0).data, dtype, a.column,
                 length);
    return {block_.data(), length, 1};
  }

  bool by_rows_, widens_;
  std::int64_t size_;
  ProductLoops loops_;
  std::int64_t length_, lines_;
  Workspace<std::byte> x_, y_, block_;
};

bool has_unit_stride(const Matrix& x) { return x.row == 1 || x.column == 1; }

bool is_vector(const MatrixProduct& p) { return p.n == 1 && has_unit_stride(p.a); }

// c transposed = b transposed times a transposed.
void transpose(MatrixProduct& p, Batches& batches) {
  std::swap(p.m, p.n);
  std::swap(p.a, p.b);
  for (Matrix* x : {&p.a, &p.b, &p.c}) *x = x->transposed();
  std::swap(batches.a, batches.b);
}

// How c is cut into parts of equal size, so that the threads have `wanted` of them.
struct Grid {
  std::int64_t rows, columns;  // of a part
};

Grid grid_of(const MatrixProduct& p, std::int64_t wanted) {
  Grid best{p.m, p.n};
  std::int64_t least = -1;
  for (std::int64_t across = 1; across <= wanted; ++across) {
    const auto rounded = [](std::int64_t x, std::int64_t to) { return parts(x, to) * to; };
    const Grid g{std::min(p.m, rounded(parts(p.m, parts(wanted, across)), 12)),
                 std::min(p.n, rounded(parts(p.n, across), 64))};
    const std::int64_t cost = g.rows * g.columns + 16 * (g.rows + g.columns);  // of one part
    if (least < 0 || cost < least) {
      least = cost;
      best = g;
    }
  }
  return best;
}

MatrixProduct part_of(MatrixProduct p, const Grid& grid, std::int64_t i, std::int64_t j) {
  p.a = part(p.a, p.dtype, i, 0);
  p.b = part(p.b, p.dtype, 0, j);
  p.c = part(p.c, p.dtype, i, j);
  p.m = std::min(grid.rows, p.m - i);
  p.n = std::min(grid.columns, p.n - j);
  return p;
}

template <class Loop>
void multiply_parts(const MatrixProduct& p, const Batches& batches, std::int64_t count) {
  const std::int64_t work = std::max<std::int64_t>(p.m * p.n * p.k, 1);
  const std::int64_t wanted = std::clamp<std::int64_t>(
      parts(threads(), count), 1, std::max<std::int64_t>(work / worth_a_thread, 1));
  const Grid grid = grid_of(p, wanted);
  const std::int64_t down = parts(p.m, grid.rows), across = parts(p.n, grid.columns);
  const std::int64_t parts = down * across;
  const std::int64_t grain = parts > 1 ? 1 : std::max<std::int64_t>(worth_a_thread / work, 1);
  parallel_for(count * parts, grain, [&](std::int64_t first, std::int64_t last) {
    const Loop loop(part_of(p, grid, 0, 0));
    for (std::int64_t t = first; t < last; ++t) {
      const std::int64_t i = t / across % down, j = t % across;
      loop(part_of(at_batch(p, batches, t / parts), grid, i * grid.rows, j * grid.columns));
    }
  });
}

}  // namespace

void multiply(const MatrixProduct& product, const Batches& all) {
  MatrixProduct p = product;
  Batches batches = all;
  simplify(p, batches);
  std::int64_t count = 1;
  for (const std::int64_t size : batches.shape) count *= size;
  if (count == 0 || p.m == 0 || p.n == 0) return;
  const bool by_columns = p.m > 1 && p.c.column != 1 && p.c.row == 1;
  if (!is_vector(p) && ((p.m == 1 && has_unit_stride(p.b)) || by_columns)) transpose(p, batches);
  // Decided for the whole, so that threads do not show in the bits.
  is_vector(p) ? multiply_parts<VectorLoop>(p, batches, count)
               : multiply_parts<MatrixLoop>(p, batches, count);
}

}  // namespace napkin::cpu
