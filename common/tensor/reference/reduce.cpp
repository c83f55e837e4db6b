// Reductions: a list of numbers becomes one.
#include <cmath>

#include "common/tensor/reference/elements.h"
#include "common/tensor/reference/reference.h"

namespace napkin::reference {
namespace {

// f of each list of elements that differ in the dimensions `over` alone, in row-major order.
Tensor reduce(const Tensor& x, const Dims& over, bool keep, DType dtype,
              const std::function<Scalar(const Numbers&)>& f) {
  Dims goes(std::max(x.rank(), 1), over.empty() ? 1 : 0);
  for (const std::int64_t d : over) goes[wrap_dimension(d, x.rank())] = 1;
  Shape outer, inner, shape;  // of the lists, of one list, of the result
  for (int d = 0; d < x.rank(); ++d) {
    outer.push_back(goes[d] == 1 ? 1 : x.size(d));
    inner.push_back(goes[d] == 1 ? x.size(d) : 1);
    if (goes[d] == 0 || keep) shape.push_back(outer[d]);
  }
  const Tensor result = build(outer, dtype, [&](const Dims& i) {
    Numbers list;
    each_index(inner, [&](Dims j) {
      for (int d = 0; d < x.rank(); ++d) j[d] += i[d];  // one of the two is 0
      list.push_back(x.at(j));
    });
    return f(list);
  });
  return result.view(shape);
}

double sum_of(const Numbers& x, const std::function<double(double)>& f) {
  double sum = 0;
  for (const Scalar& number : x) sum += f(number.to_double());
  return sum;
}

double mean_of(const Numbers& x) {
  return sum_of(x, [](double number) { return number; }) / static_cast<double>(x.size());
}

bool is_nan(const Scalar& x) { return x.is_floating() && std::isnan(x.to_double()); }

bool is_less(const Scalar& a, const Scalar& b) {
  return a.is_floating() ? a.to_double() < b.to_double() : a.to_int64() < b.to_int64();
}

// The place of the first number that none surpasses; the first NaN where there is one.
std::size_t place_of_first(const Numbers& x, bool largest) {
  check(!x.empty(), "the reference: no largest or smallest of no elements");
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size() && !is_nan(x[best]); ++i)
    if (is_nan(x[i]) || (largest ? is_less(x[best], x[i]) : is_less(x[i], x[best]))) best = i;
  return best;
}

}  // namespace

Tensor sum(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, sum_type(x.dtype()), [&](const Numbers& list) {
    Scalar sum = rounded(0, sum_type(x.dtype()));
    for (const Scalar& number : list) sum = plus(sum, number);
    return sum;
  });
}

Tensor mean(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, DType::fp64, mean_of);
}

Tensor prod(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, sum_type(x.dtype()), [&](const Numbers& list) {
    Scalar product = rounded(1, sum_type(x.dtype()));
    for (const Scalar& number : list) product = times(product, number);
    return product;
  });
}

Tensor max(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, x.dtype(),
                [](const Numbers& list) { return list[place_of_first(list, true)]; });
}

Tensor min(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, x.dtype(),
                [](const Numbers& list) { return list[place_of_first(list, false)]; });
}

Tensor argmax(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, DType::int64,
                [](const Numbers& list) { return Scalar(place_of_first(list, true)); });
}

Tensor argmin(const Tensor& x, const Dims& over, bool keep) {
  return reduce(x, over, keep, DType::int64,
                [](const Numbers& list) { return Scalar(place_of_first(list, false)); });
}

Tensor var(const Tensor& x, const Dims& over, double correction, bool keep) {
  return reduce(x, over, keep, DType::fp64, [&](const Numbers& list) {
    const double mean = mean_of(list), n = static_cast<double>(list.size());
    const double squares = sum_of(list, [&](double v) { return (v - mean) * (v - mean); });
    return squares / std::max(0.0, n - correction);
  });
}

Tensor norm(const Tensor& x, double p, const Dims& over, bool keep) {
  if (std::isinf(p)) return p > 0 ? max(abs(x), over, keep) : min(abs(x), over, keep);
  return reduce(x, over, keep, DType::fp64, [&](const Numbers& list) {
    if (p == 0) return sum_of(list, [](double v) { return v != 0 ? 1 : 0; });
    const double powers = sum_of(list, [&](double v) { return std::pow(std::abs(v), p); });
    return std::pow(powers, 1 / p);
  });
}

}  // namespace napkin::reference
