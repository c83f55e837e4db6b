// Where an element comes from, or goes to.
#include "common/tensor/reference/elements.h"
#include "common/tensor/reference/reference.h"

namespace napkin::reference {
namespace {

// A position along a dimension: not one counted from the end.
std::int64_t position_at(const Tensor& index, const Dims& i) {
  const std::int64_t position = index.at(i).to_int64();
  check(position >= 0, "the reference: an index of {}", position);
  return position;
}

// A copy of x to which sums are added.
Tensor wide_copy(const Tensor& x) {
  return copy(with_a_dimension(x), is_floating(x.dtype()) ? DType::fp64 : x.dtype());
}

void add_at(const Tensor& y, const Dims& to, Scalar term) { put(y, to, plus(y.at(to), term)); }

}  // namespace

Tensor index_select(const Tensor& x, int d, const Tensor& index) {
  const Tensor from = with_a_dimension(x), numbers = with_a_dimension(index);
  d = wrap_dimension(d, x.rank());
  Shape shape = from.shape();
  shape[d] = numbers.size(0);
  const Tensor result = build(shape, x.dtype(), [&](Dims i) {
    i[d] = position_at(numbers, {i[d]});
    return from.at(i);
  });
  return x.rank() == 0 ? result.view({}) : result;
}

Tensor gather(const Tensor& x, int d, const Tensor& index) {
  const Tensor from = with_a_dimension(x), numbers = with_a_dimension(index);
  d = wrap_dimension(d, x.rank());
  const Tensor result = build(numbers.shape(), x.dtype(), [&](Dims i) {
    i[d] = position_at(numbers, i);
    return from.at(i);
  });
  return result.view(index.shape());
}

Tensor scatter_add(const Tensor& x, int d, const Tensor& index, const Tensor& source) {
  const Tensor y = wide_copy(x), numbers = with_a_dimension(index),
               terms = with_a_dimension(source);
  d = wrap_dimension(d, x.rank());
  each_index(numbers.shape(), [&](const Dims& i) {
    Dims to = i;
    to[d] = position_at(numbers, i);
    add_at(y, to, terms.at(i));
  });
  return y.view(x.shape());
}

Tensor index_add(const Tensor& x, int d, const Tensor& index, const Tensor& source) {
  const Tensor y = wide_copy(x), numbers = with_a_dimension(index),
               terms = with_a_dimension(source);
  d = wrap_dimension(d, x.rank());
  each_index(terms.shape(), [&](const Dims& i) {
    Dims to = i;
    to[d] = position_at(numbers, {i[d]});
    add_at(y, to, terms.at(i));
  });
  return y.view(x.shape());
}

Tensor cat(const std::vector<Tensor>& tensors, int d) {
  std::vector<Tensor> parts;  // tensors of shape (0) fit everywhere, as in PyTorch
  for (const Tensor& t : tensors)
    if (t.shape() != Shape{0}) parts.push_back(t);
  if (parts.empty()) parts.push_back(tensors.at(0));
  d = wrap_dimension(d, parts[0].rank());
  Shape shape = parts[0].shape();
  for (std::size_t n = 1; n < parts.size(); ++n) shape[d] += parts[n].size(d);
  const std::vector<Input> inputs(tensors.begin(), tensors.end());
  return build(shape, result_type(inputs), [&](Dims i) {
    std::size_t n = 0;
    for (; i[d] >= parts[n].size(d); ++n) i[d] -= parts[n].size(d);
    return parts[n].at(i);
  });
}

Tensor stack(const std::vector<Tensor>& tensors, int d) {
  std::vector<Tensor> slices;
  for (const Tensor& t : tensors) slices.push_back(t.unsqueeze(d));
  return cat(slices, wrap_dimension(d, slices.at(0).rank()));
}

Tensor copy(const Tensor& x, DType dtype) {
  return build(x.shape(), dtype, [&](const Dims& i) { return x.at(i); });
}

Tensor fill(const Shape& shape, Scalar value, DType dtype) {
  return build(shape, dtype, [&](const Dims&) { return value; });
}

}  // namespace napkin::reference
