// Products on the CPU: which part a thread takes, and in which order it goes through it.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/core/parallel.h"
#include "common/tensor/fast/loops.h"
#include "common/tensor/fast/product.h"
#include "common/tensor/fast/product_panels.h"
#include "common/tensor/fast/workspace.h"

namespace napkin::fast {
namespace {

constexpr std::int64_t wide = 512;                // columns of b that are packed at once
constexpr std::int64_t tall = 240;                // rows of a
constexpr std::int64_t worth_a_thread = 1 << 17;  // multiplications

std::int64_t pieces(std::int64_t count, std::int64_t piece) { return (count + piece - 1) / piece; }

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
void finish_line(const Product& p, std::byte* c, std::int64_t step, std::byte* sums,
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

// A product for one thread: b's blocks one after the other, under each all rows of a.
void multiply_matrix(const Product& p) {
  const DType compute = compute_type(p.dtype);
  const std::int64_t size = size_of(compute);
  const ProductLoops loops = product_loops(p.dtype);
  const bool in_place = p.dtype == compute && p.alpha == 1 && p.beta == 0 && p.c.column == 1;
  const std::int64_t columns = std::min(p.n, wide), depth = std::min(p.k, product_depth);
  const std::int64_t padded = pieces(columns, loops.panel) * loops.panel;
  const Workspace<std::byte> b(padded * depth * size);
  const Workspace<std::byte> a(std::min(p.m, tall) * product_row_step * size);
  const Workspace<std::byte> sums(in_place ? 0 : p.m * columns * size);
  for (std::int64_t j = 0; j < p.n; j += wide) {
    const std::int64_t n = std::min(wide, p.n - j);
    const Matrix c = in_place ? part(p.c, p.dtype, 0, j) : Matrix{sums.data(), n, 1};
    for (std::int64_t q = 0; q == 0 || q < p.k; q += product_depth) {
      const std::int64_t k = std::min(product_depth, p.k - q);
      pack_panels(b.data(), part(p.b, p.dtype, q, j), p.dtype, k, n, loops.panel);
      for (std::int64_t i = 0; i < p.m; i += tall) {
        const std::int64_t m = std::min(tall, p.m - i);
        pack_rows(a.data(), part(p.a, p.dtype, i, q), p.dtype, m, k);
        loops.block(part(c, compute, i, 0).data, c.row, a.data(), b.data(), m, n, k, q > 0);
      }
    }
    for (std::int64_t i = 0; i < p.m && !in_place; ++i)
      finish_line(p, part(p.c, p.dtype, i, j).data, p.c.column, part(c, compute, i, 0).data, n);
  }
}

// n is 1: sums of products of a's rows with one column.
void multiply_vector(const Product& p) {
  const DType compute = compute_type(p.dtype);
  const std::int64_t size = size_of(compute);
  const ProductLoops loops = product_loops(p.dtype);
  const bool by_rows = p.a.column == 1, widens = !is_floating(p.dtype) && p.dtype != compute;
  const Workspace<std::byte> x(p.k * size), y(p.m * size);
  widen_line(x.data(), p.b.data, p.dtype, p.b.row, p.k);
  std::memset(y.data(), 0, static_cast<std::size_t>(p.m * size));
  // Rows of a, or of its transpose, widened by blocks that stay in the cache.
  const std::int64_t lines = by_rows ? p.m : p.k;
  const std::int64_t longest =
      by_rows ? std::max<std::int64_t>(p.k, 1) : std::min<std::int64_t>(p.m, 1024);
  const std::int64_t at_once =
      std::clamp<std::int64_t>(16384 / std::max<std::int64_t>(longest, 1), 4, 64);
  const Workspace<std::byte> block(widens ? at_once * longest * size : 0);
  for (std::int64_t j = 0; j < (by_rows ? 1 : p.m); j += longest)
    for (std::int64_t i = 0; i < lines; i += at_once) {
      const std::int64_t here = std::min(at_once, lines - i);
      const std::int64_t length = by_rows ? p.k : std::min(longest, p.m - j);
      Matrix a = by_rows ? part(p.a, p.dtype, i, 0) : part(p.a.transposed(), p.dtype, i, j);
      if (widens) {
        for (std::int64_t l = 0; l < here; ++l)
          widen_line(block.data() + l * length * size, part(a, p.dtype, l, 0).data, p.dtype,
                     a.column, length);
        a = {block.data(), length, 1};
      }
      if (by_rows)
        loops.dots(y.data() + i * size, a.data, a.row, x.data(), here, p.k);
      else
        loops.combine(y.data() + j * size, x.data() + i * size, a.data, a.row, here, length);
    }
  finish_line(p, p.c.data, p.c.row, y.data(), p.m);
}

bool has_unit_stride(const Matrix& x) { return x.row == 1 || x.column == 1; }

bool is_vector(const Product& p) { return p.n == 1 && has_unit_stride(p.a); }

// c transposed = b transposed times a transposed.
void transpose(Product& p, Batches& batches) {
  std::swap(p.m, p.n);
  std::swap(p.a, p.b);
  for (Matrix* x : {&p.a, &p.b, &p.c}) *x = x->transposed();
  std::swap(batches.a, batches.b);
}

// How c is cut into parts of equal size, so that the threads have `wanted` of them.
struct Grid {
  std::int64_t rows, columns;  // of a part
};

Grid grid_of(const Product& p, std::int64_t wanted) {
  Grid best{p.m, p.n};
  std::int64_t least = -1;
  for (std::int64_t across = 1; across <= wanted; ++across) {
    const auto rounded = [](std::int64_t x, std::int64_t to) { return pieces(x, to) * to; };
    const Grid g{std::min(p.m, rounded(pieces(p.m, pieces(wanted, across)), 12)),
                 std::min(p.n, rounded(pieces(p.n, across), 64))};
    const std::int64_t cost = g.rows * g.columns + 16 * (g.rows + g.columns);  // of one part
    if (least < 0 || cost < least) {
      least = cost;
      best = g;
    }
  }
  return best;
}

Product part_of(Product p, const Grid& grid, std::int64_t i, std::int64_t j) {
  p.a = part(p.a, p.dtype, i, 0);
  p.b = part(p.b, p.dtype, 0, j);
  p.c = part(p.c, p.dtype, i, j);
  p.m = std::min(grid.rows, p.m - i);
  p.n = std::min(grid.columns, p.n - j);
  return p;
}

}  // namespace

void multiply(const Product& product, const Batches& all) {
  Product p = product;
  Batches batches = all;
  simplify(p, batches);
  const bool by_columns = p.m > 1 && p.c.column != 1 && p.c.row == 1;
  if (!is_vector(p) && ((p.m == 1 && has_unit_stride(p.b)) || by_columns)) transpose(p, batches);
  // Decided for the whole, so that threads do not show in the bits.
  const auto multiply_part = is_vector(p) ? multiply_vector : multiply_matrix;
  std::int64_t count = 1;
  for (const std::int64_t size : batches.shape) count *= size;
  if (count == 0 || p.m == 0 || p.n == 0) return;
  const std::int64_t work = std::max<std::int64_t>(p.m * p.n * p.k, 1);
  const std::int64_t wanted = std::clamp<std::int64_t>(
      pieces(threads(), count), 1, std::max<std::int64_t>(work / worth_a_thread, 1));
  const Grid grid = grid_of(p, wanted);
  const std::int64_t down = pieces(p.m, grid.rows), across = pieces(p.n, grid.columns);
  const std::int64_t grain =
      down * across > 1 ? 1 : std::max<std::int64_t>(worth_a_thread / work, 1);
  parallel_for(count * down * across, grain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t t = first; t < last; ++t) {
      const Product one = at_batch(p, batches, t / (down * across));
      const std::int64_t i = t / across % down, j = t % across;
      multiply_part(part_of(one, grid, i * grid.rows, j * grid.columns));
    }
  });
}

}  // namespace napkin::fast
