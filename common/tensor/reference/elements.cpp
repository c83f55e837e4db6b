#include "common/tensor/reference/elements.h"

#include "common/numeric/convert.h"
#include "common/tensor/create.h"
#include "common/tensor/number.h"
#include "common/tensor/rules/arithmetic.h"

namespace napkin::reference {

Scalar at(const Tensor& x, const Dims& index) {
  Dims own;
  for (int d = 0; d < x.rank(); ++d)
    own.push_back(x.shape()[d] == 1 ? 0 : index[index.size() - x.rank() + d]);
  return x.at(own);
}

void put(const Tensor& x, const Dims& index, Scalar value) {
  const std::int64_t place = position(x.layout(), index);
  store_number(value, x.dtype(), x.storage()->data() + place * size_of(x.dtype()));
}

Scalar rounded(Scalar value, DType dtype) {
  return visit(dtype, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::Type;
    if (value.is_floating()) return convert<T>(value.to_double());
    return convert<T>(value.to_int64());
  });
}

void each_index(const Shape& shape, const std::function<void(const Dims&)>& f) {
  Dims index(shape.size(), 0);
  for (std::int64_t left = count_elements(shape); left > 0; --left) {
    f(index);
    for (int d = shape.size() - 1; d >= 0 && ++index[d] == shape[d]; --d) index[d] = 0;
  }
}

Tensor build(const Shape& shape, DType dtype, const std::function<Scalar(const Dims&)>& f) {
  const Tensor result = empty(shape, {.dtype = dtype});
  each_index(shape, [&](const Dims& i) { put(result, i, f(i)); });
  return result;
}

Tensor with_a_dimension(const Tensor& x) { return x.rank() == 0 ? x.unsqueeze(0) : x; }

DType sum_type(DType dtype) { return is_floating(dtype) ? DType::fp64 : DType::int64; }

Scalar plus(Scalar a, Scalar b) {
  if (a.is_floating()) return a.to_double() + b.to_double();
  return Add{}(a.to_int64(), b.to_int64());
}

Scalar times(Scalar a, Scalar b) {
  if (a.is_floating()) return a.to_double() * b.to_double();
  return Mul{}(a.to_int64(), b.to_int64());
}

}  // namespace napkin::reference
