// Along one dimension: a list of numbers becomes another list.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/tensor/create.h"
#include "common/tensor/reference/elements.h"
#include "common/tensor/reference/reference.h"

namespace napkin::reference {
namespace {

// f of each line of x along d makes a line of the result, of `size` elements.
Tensor along(const Tensor& x, int d, std::int64_t size, DType dtype,
             const std::function<Numbers(const Numbers&)>& f) {
  d = wrap_dimension(d, x.rank());
  Shape lines = x.shape(), shape = x.shape();
  lines[d] = 1, shape[d] = size;
  const Tensor result = empty(shape, {.dtype = dtype});
  each_index(lines, [&](Dims i) {
    Numbers line;
    for (i[d] = 0; i[d] < x.size(d); ++i[d]) line.push_back(x.at(i));
    line = f(line);
    for (i[d] = 0; i[d] < size; ++i[d]) put(result, i, line[static_cast<std::size_t>(i[d])]);
  });
  return result;
}

// As long as x, of x's shape.
Tensor along(const Tensor& x, int d, DType dtype, const std::function<Numbers(const Numbers&)>& f) {
  const Tensor from = with_a_dimension(x);
  return along(from, d, from.size(d), dtype, f).view(x.shape());
}

// e^x_1 ... e^x_n, all divided by the largest of them, so that none is infinite; their sum.
struct Powers {
  double largest = -std::numeric_limits<double>::infinity();  // of x
  std::vector<double> powers;
  double sum = 0;

  explicit Powers(const Numbers& x) {
    for (const Scalar& number : x) largest = std::max(largest, number.to_double());
    for (const Scalar& number : x) powers.push_back(std::exp(number.to_double() - largest));
    for (const double power : powers) sum += power;
  }
};

// NaN comes after every number.
bool comes_before(const Scalar& a, const Scalar& b) {
  if (!a.is_floating()) return a.to_int64() < b.to_int64();
  const double x = a.to_double(), y = b.to_double();
  return std::isnan(y) ? !std::isnan(x) : x < y;
}

// The places of a line's elements in their order.
Numbers sorted_places(const Numbers& x, bool descending) {
  std::vector<std::size_t> places(x.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::size_t i, std::size_t j) {
    return descending ? comes_before(x[j], x[i]) : comes_before(x[i], x[j]);
  });
  return Numbers(places.begin(), places.end());
}

}  // namespace

Tensor softmax(const Tensor& x, int d) {
  return along(x, d, DType::fp64, [](Numbers line) {
    const Powers e(line);
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = e.powers[i] / e.sum;
    return line;
  });
}

Tensor log_softmax(const Tensor& x, int d) {
  return along(x, d, DType::fp64, [](Numbers line) {
    const Powers e(line);
    for (Scalar& number : line) number = number.to_double() - e.largest - std::log(e.sum);
    return line;
  });
}

Tensor cumsum(const Tensor& x, int d) {
  return along(x, d, sum_type(x.dtype()), [&](Numbers line) {
    Scalar sum = rounded(0, sum_type(x.dtype()));
    for (Scalar& number : line) number = sum = plus(sum, number);
    return line;
  });
}

Sorted sort(const Tensor& x, int d, bool descending) {
  const Tensor indices = along(
      x, d, DType::int64, [&](const Numbers& line) { return sorted_places(line, descending); });
  return {gather(x, d, indices), indices};
}

Sorted topk(const Tensor& x, std::int64_t k, int d, bool largest) {
  if (x.rank() == 0) return sort(x, d);
  const Tensor indices = along(x, d, k, DType::int64,
                               [&](const Numbers& line) { return sorted_places(line, largest); });
  return {gather(x, d, indices), indices};
}

}  // namespace napkin::reference
