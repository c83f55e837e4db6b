#include "common/tensor/reference/plain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/core/error.h"

namespace napkin::plain {
namespace {

std::size_t count(const Shape& shape) {
  std::size_t n = 1;
  for (const std::int64_t size : shape) n *= static_cast<std::size_t>(size);
  return n;
}

// The place of an index in an array whose missing or 1-sized dimensions repeat.
std::size_t place(const Shape& shape, const Dims& index) {
  std::size_t at = 0;
  const int missing = index.size() - shape.size();
  for (int d = 0; d < shape.size(); ++d)
    at = at * static_cast<std::size_t>(shape[d]) +
         static_cast<std::size_t>(shape[d] == 1 ? 0 : index[d + missing]);
  return at;
}

// The array whose element at each index is f(index).
template <class F>
Array build(const Shape& shape, F f) {
  Array result{shape, {}};
  Dims index(shape.size(), 0);
  for (std::size_t n = count(shape); n > 0; --n) {
    result.values.push_back(f(index));
    for (int d = shape.size() - 1; d >= 0 && ++index[d] == shape[d]; --d) index[d] = 0;
  }
  return result;
}

double at(const Array& x, const Dims& index) { return x.values[place(x.shape, index)]; }

}  // namespace

Array of(const Tensor& x) { return {x.shape(), x.to_vector<double>()}; }

Array map(const Array& x, const Unary& f) {
  return build(x.shape, [&](const Dims& i) { return f(at(x, i)); });
}

Array map(const Array& x, const Array& y, const Binary& f) {
  return build(broadcast(x.shape, y.shape), [&](const Dims& i) { return f(at(x, i), at(y, i)); });
}

Array permute(const Array& x, const Dims& order) {
  Shape shape;
  for (const std::int64_t d : order) shape.push_back(x.shape[static_cast<int>(d)]);
  return build(shape, [&](const Dims& i) {
    Dims from(order.size(), 0);
    for (int d = 0; d < order.size(); ++d) from[static_cast<int>(order[d])] = i[d];
    return at(x, from);
  });
}

Array slice(const Array& x, int d, std::int64_t start, std::int64_t stop, std::int64_t step) {
  std::vector<std::int64_t> index;
  for (std::int64_t i = start; i < std::min(stop, x.shape[d]); i += step) index.push_back(i);
  return index_select(x, d, index);
}

Array index_select(const Array& x, int d, const std::vector<std::int64_t>& index) {
  Shape shape = x.shape;
  shape[d] = static_cast<std::int64_t>(index.size());
  return build(shape, [&](Dims i) {
    i[d] = index[static_cast<std::size_t>(i[d])];
    return at(x, i);
  });
}

Array cat(const Array& x, const Array& y, int d) {
  Shape shape = x.shape;
  shape[d] = x.shape[d] + y.shape[d];
  return build(shape, [&](Dims i) {
    if (i[d] < x.shape[d]) return at(x, i);
    i[d] -= x.shape[d];
    return at(y, i);
  });
}

Array reshape(const Array& x, const Shape& shape) { return {shape, x.values}; }

Array fold(const Array& x, int d, double first, const Binary& f) {
  Shape shape = x.shape;
  shape[d] = 1;
  return build(shape, [&](Dims i) {
    double value = first;
    for (i[d] = 0; i[d] < x.shape[d]; ++i[d]) value = f(value, at(x, i));
    return value;
  });
}

Array cumsum(const Array& x, int d) {
  return build(x.shape, [&](Dims i) {
    double sum = 0;
    for (std::int64_t n = i[d]; n >= 0; --n) {
      i[d] = n;
      sum += at(x, i);
    }
    return sum;
  });
}

Array softmax(const Array& x, int d) {
  const double least = -std::numeric_limits<double>::infinity();
  const Array most = fold(x, d, least, [](double a, double b) { return std::max(a, b); });
  const Array e = map(x, most, [](double a, double m) { return std::exp(a - m); });
  return map(e, fold(e, d, 0, std::plus<>()), std::divides<>());
}

Array matmul(const Array& x, const Array& y) {
  Shape batch_x = x.shape, batch_y = y.shape;
  for (int k = 0; k < 2; ++k) {
    batch_x.erase(batch_x.size() - 1);
    batch_y.erase(batch_y.size() - 1);
  }
  Shape shape = broadcast(batch_x, batch_y);
  const std::int64_t inner = x.shape[x.shape.size() - 1];
  shape.push_back(x.shape[x.shape.size() - 2]);
  shape.push_back(y.shape[y.shape.size() - 1]);
  const int row = shape.size() - 2, column = shape.size() - 1;
  return build(shape, [&](const Dims& i) {
    double sum = 0;
    for (std::int64_t k = 0; k < inner; ++k) {
      Dims left = i, right = i;
      left[column] = k;
      right[row] = k;
      sum += at(x, left) * at(y, right);
    }
    return sum;
  });
}

}  // namespace napkin::plain
