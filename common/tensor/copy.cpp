#include "common/tensor/copy.h"

#include "common/core/observer.h"
#include "common/tensor/convert.h"
#include "common/tensor/create.h"

namespace napkin {
namespace {

template <class To, class From>
void copy_row(To* to, std::int64_t to_stride, const From* from, std::int64_t from_stride,
              std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i * to_stride] = convert<To>(from[i * from_stride]);
}

template <class To, class From>
void copy_dimension(To* to, const Strides& to_strides, const From* from,
                    const Strides& from_strides, const Shape& shape, int d) {
  if (shape.empty()) return copy_row(to, 0, from, 0, 1);
  if (d == shape.size() - 1) return copy_row(to, to_strides[d], from, from_strides[d], shape[d]);
  for (std::int64_t i = 0; i < shape[d]; ++i)
    copy_dimension(to + i * to_strides[d], to_strides, from + i * from_strides[d], from_strides,
                   shape, d + 1);
}

}  // namespace

void check_writable(const Tensor& x, const char* what) {
  check(x.defined(), "{}: the tensor has no storage", what);
  check(!may_overlap(x.layout()),
        "{}: several elements of a tensor of shape {} with strides {} share one place in memory "
        "(an expanded tensor); clone() it first",
        what, to_string(x.shape()), to_string(x.strides()));
}

void copy_elements(const Tensor& destination, const Tensor& source) {
  notify(OperationEvent{"copy", destination.device(), 0, source.bytes(), destination.bytes()});
  if (destination.device() == Device::meta || destination.numel() == 0) return;
  visit(destination.dtype(), [&](auto to) {
    visit(source.dtype(), [&](auto from) {
      copy_dimension(destination.data<typename decltype(to)::Type>(), destination.strides(),
                     source.data<typename decltype(from)::Type>(), source.strides(),
                     destination.shape(), 0);
    });
  });
}

Tensor& Tensor::fill_(Scalar value) {
  check_writable(*this, "fill_");
  Tensor one = empty({}, {.dtype = dtype_, .device = device()});
  if (device() == Device::cpu)
    visit(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      *one.data<T>() =
          value.is_floating()
              ? convert<T>(value.to_double())
              : convert<T>(value.is_bool() ? std::int64_t{value.to_bool()} : value.to_int64());
    });
  copy_elements(*this, one.expand(shape()));
  storage_->bump_version();
  return *this;
}

Tensor& Tensor::zero_() { return fill_(0); }

Tensor& Tensor::copy_(const Tensor& source) {
  check_writable(*this, "copy_");
  check(source.defined(), "copy_: the source has no storage");
  check(source.device() == device(), "copy_: from {} to {}", napkin::name(source.device()),
        napkin::name(device()));
  const Tensor apart = source.shares_storage(*this) ? source.clone() : source;
  copy_elements(*this, apart.expand(shape()));
  storage_->bump_version();
  return *this;
}

Tensor Tensor::contiguous() const {
  if (is_contiguous()) return *this;
  Tensor result = empty(shape(), {.dtype = dtype_, .device = device()});
  copy_elements(result, *this);
  return result;
}

Tensor Tensor::clone() const {
  Tensor result = empty_like(*this);
  copy_elements(result, *this);
  return result;
}

Tensor Tensor::to(DType dtype) const {
  if (dtype == dtype_) return *this;
  const Strides strides = is_dense(layout_) ? layout_.strides : contiguous_strides(shape());
  const std::int64_t bytes = numel() * size_of(dtype);
  Tensor result(std::make_shared<Storage>(bytes, device()), dtype, {shape(), strides, 0});
  copy_elements(result, *this);
  return result;
}

Tensor Tensor::to(Device device) const {
  if (device == this->device()) return *this;
  check(device == Device::meta, "a {} tensor cannot be copied to {}", napkin::name(this->device()),
        napkin::name(device));
  const Strides strides = is_dense(layout_) ? layout_.strides : contiguous_strides(shape());
  return Tensor(std::make_shared<Storage>(bytes(), device), dtype_, {shape(), strides, 0});
}

}  // namespace napkin
