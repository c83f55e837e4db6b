// Views and copies of Variables. The gradient of a view is the gradient seen the other way round,
// or put into zeros where the view saw only some of the elements.
#include <algorithm>

#include "common/autograd/node.h"
#include "common/core/error.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/copy.h"
#include "common/tensor/operations/index.h"

namespace napkin::autograd {
namespace {

// Zeros in the shape of x, into a view of which the gradient is written.
template <class View>
auto into_zeros(const Variable& x, View view) {
  return [shape = x.shape(), view](const Tensor& g) {
    const Tensor all = zeros(shape, {g.dtype(), g.device(), Category::temporary});
    Tensor(view(all)).copy_(g);
    return all;
  };
}

auto reshaped(const Variable& x) {
  return [shape = x.shape()](const Tensor& g) { return g.reshape(shape); };
}

}  // namespace

Variable Variable::view(const Shape& shape) const {
  return record("view", value().view(shape), d(*this, reshaped(*this)));
}

Variable Variable::reshape(const Shape& shape) const {
  return record("reshape", value().reshape(shape), d(*this, reshaped(*this)));
}

Variable Variable::flatten(int first, int last) const {
  return record("flatten", value().flatten(first, last), d(*this, reshaped(*this)));
}

Variable Variable::transpose(int a, int b) const {
  return record("transpose", value().transpose(a, b),
                d(*this, [a, b](const Tensor& g) { return g.transpose(a, b); }));
}

Variable Variable::t() const {
  return record("t", value().t(), d(*this, [](const Tensor& g) { return g.t(); }));
}

Variable Variable::permute(const Dims& order) const {
  return record("permute", value().permute(order), d(*this, [order](const Tensor& g) {
                  Dims back(order.size(), 0);
                  for (int k = 0; k < order.size(); ++k) {
                    const std::int64_t from = order[k] < 0 ? order[k] + order.size() : order[k];
                    back[static_cast<int>(from)] = k;
                  }
                  return g.permute(back);
                }));
}

Variable Variable::select(int dim, std::int64_t index) const {
  return record("select", value().select(dim, index),
                d(*this, into_zeros(*this, [=](const Tensor& x) { return x.select(dim, index); })));
}

Variable Variable::slice(int dim, std::int64_t start, std::int64_t stop, std::int64_t step) const {
  return record("slice", value().slice(dim, start, stop, step),
                d(*this, into_zeros(*this, [=](const Tensor& x) {
                  return x.slice(dim, start, stop, step);
                })));
}

// What was expanded is summed (as_input).
Variable Variable::expand(const Shape& shape) const {
  return record("expand", value().expand(shape), d(*this, [](const Tensor& g) { return g; }));
}

Variable Variable::unsqueeze(int dim) const {
  return record("unsqueeze", value().unsqueeze(dim), d(*this, reshaped(*this)));
}

Variable Variable::squeeze() const {
  return record("squeeze", value().squeeze(), d(*this, reshaped(*this)));
}

Variable Variable::squeeze(int dim) const {
  return record("squeeze", value().squeeze(dim), d(*this, reshaped(*this)));
}

// Windows may overlap: each of their places is added in turn.
Variable Variable::unfold(int dim, std::int64_t size, std::int64_t step) const {
  return record("unfold", value().unfold(dim, size, step),
                d(*this, [shape = shape(), dim, size, step](const Tensor& g) {
                  Tensor all = zeros(shape, {g.dtype(), g.device(), Category::temporary});
                  const int along = dim < 0 ? dim + static_cast<int>(shape.size()) : dim;
                  const std::int64_t windows = shape.empty() ? 1 : g.size(along);
                  for (std::int64_t k = 0; k < size; ++k) {
                    const Tensor place = g.select(-1, k);
                    if (shape.empty())
                      all.add_(place);
                    else
                      all.slice(along, k, k + (windows - 1) * step + 1, step).add_(place);
                  }
                  return all;
                }));
}

// The strip of memory gets the gradients of its places, and is seen as x was.
Variable Variable::as_strided(const Shape& shape, const Strides& strides,
                              std::int64_t offset) const {
  const Tensor& x = value();
  const std::int64_t places = x.storage_bytes() / size_of(x.dtype());
  if (needs_grad(*this))
    check(distinct_bytes(x) == x.bytes(),
          "as_strided: elements of a tensor of shape {} with strides {} share places: no gradient "
          "tells them apart; clone() it first",
          to_string(x.shape()), to_string(x.strides()));
  return record("as_strided", x.as_strided(shape, strides, offset),
                d(*this, [layout = x.layout(), places, shape, strides, offset](const Tensor& g) {
                  const Tensor order = arange(places, {DType::int64, g.device()});
                  const Tensor index = order.as_strided(shape, strides, offset).reshape({-1});
                  Tensor strip = zeros({places}, {g.dtype(), g.device(), Category::temporary});
                  index_add_(strip, 0, index, g.reshape({-1}));
                  return strip.as_strided(layout.shape, layout.strides, layout.offset);
                }));
}

Variable Variable::contiguous() const {
  if (value().is_contiguous()) return *this;
  return record("contiguous", value().contiguous(), d(*this, [](const Tensor& g) { return g; }));
}

Variable Variable::clone() const {
  return record("clone", value().clone(), d(*this, [](const Tensor& g) { return g; }));
}

// The gradient goes back to the input's type and device (as_input).
Variable Variable::to(DType dtype) const {
  if (dtype == value().dtype()) return *this;
  return record("to", value().to(dtype), d(*this, [](const Tensor& g) { return g; }));
}

Variable Variable::to(Device device) const {
  if (device == value().device()) return *this;
  return record("to", value().to(device), d(*this, [](const Tensor& g) { return g; }));
}

}  // namespace napkin::autograd
