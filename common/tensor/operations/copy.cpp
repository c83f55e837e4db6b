#include "common/tensor/operations/copy.h"

#include "common/core/observer.h"
#include "common/gpu/copy.h"
#include "common/numeric/convert.h"
#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/copy/copy.h"
#include "common/tensor/number.h"
#include "common/tensor/order.h"
#include "common/tensor/overlap.h"

namespace napkin {
namespace {

// The last place that an element takes, counted from the storage's first; the layout is not empty.
std::int64_t last_place(const Layout& layout) {
  std::int64_t last = layout.offset;
  for (int d = 0; d < layout.rank(); ++d) last += (layout.shape[d] - 1) * layout.strides[d];
  return last;
}

void report_copy(const Tensor& destination, const Tensor& source) {
  if (anyone_listens())
    notify(OperationEvent{"copy", destination.device(), 0, distinct_bytes(source),
                          destination.bytes()});
}

// The dense source on another device, with the same strides.
Tensor moved(const Tensor& source, Device device) {
  const Tensor result =
      empty_strided(source.shape(), source.strides(), {.dtype = source.dtype(), .device = device});
  if (device == Device::meta || source.numel() == 0) return result;
  report_copy(result, source);
  if (device == Device::cuda)
    gpu::copy_to_gpu(result.raw_data(), source.raw_data(), source.bytes());
  else
    gpu::copy_to_host(result.raw_data(), source.raw_data(), source.bytes());
  return result;
}

Tensor converted(const Tensor& x, DType dtype, Overflow overflow) {
  const Tensor result =
      empty_strided(x.shape(), strides_like(x.layout()), {.dtype = dtype, .device = x.device()});
  copy_elements(result, x, overflow);
  return result;
}

}  // namespace

void check_writable(const Tensor& x, std::string_view operation) {
  check(!may_overlap(x.layout()),
        "{}: several elements of a tensor of shape {} with strides {} share one place in memory "
        "(an expanded tensor, say); clone() it first",
        operation, x.shape(), x.strides());
}

bool same_elements(const Tensor& a, const Tensor& b) {
  return a.shares_storage(b) && a.dtype() == b.dtype() && a.offset() == b.offset() &&
         a.shape() == b.shape() && a.strides() == b.strides();
}

bool may_share_memory(const Tensor& a, const Tensor& b) {
  if (!a.shares_storage(b) || a.numel() == 0 || b.numel() == 0) return false;
  const std::int64_t size_a = size_of(a.dtype()), size_b = size_of(b.dtype());
  return a.offset() * size_a < (last_place(b.layout()) + 1) * size_b &&
         b.offset() * size_b < (last_place(a.layout()) + 1) * size_a;
}

std::int64_t distinct_bytes(const Tensor& x) {
  std::int64_t elements = x.numel() == 0 ? 0 : 1;
  for (int d = 0; d < x.rank(); ++d)
    if (x.strides()[d] != 0) elements *= x.shape()[d];
  return multiply(elements, size_of(x.dtype()));
}

void copy_elements(const Tensor& destination, const Tensor& source) {
  copy_elements(destination, source, usual_overflow(destination.dtype()));
}

void copy_elements(const Tensor& destination, const Tensor& source, Overflow overflow) {
  report_copy(destination, source);
  if (destination.numel() == 0) return;
  if (destination.device() == Device::cpu) cpu::copy(destination, source, overflow);
  if (destination.device() == Device::cuda) cuda::copy(destination, source, overflow);
}

void fill_elements(const Tensor& x, Scalar value) {
  if (x.device() == Device::cpu && x.numel() > 0) cpu::fill(x, value);
  if (x.device() == Device::cuda && x.numel() > 0) cuda::fill(x, value);
}

Tensor& Tensor::fill_(Scalar value) {
  check_writable(*this, "fill_");
  check_fits(value, dtype_, "fill_");
  fill_elements(*this, value);
  notify(OperationEvent{"fill", device(), 0, 0, bytes()});
  storage_->bump_version();
  return *this;
}

Tensor& Tensor::zero_() { return fill_(0); }

Tensor& Tensor::copy_(const Tensor& source) {
  check_writable(*this, "copy_");
  check(source.device() != Device::meta || device() == Device::meta,
        "copy_: from meta to {}: a meta tensor has a shape only, no data", napkin::name(device()));
  source.expand(shape());  // refuses a shape that does not fit
  const Tensor from = source.to(device()).expand(shape());
  if (!same_elements(*this, from))
    copy_elements(*this, may_share_memory(*this, from) ? from.clone() : from);
  storage_->bump_version();
  return *this;
}

Tensor Tensor::contiguous() const {
  if (is_contiguous()) return *this;
  const Tensor result = empty(shape(), {.dtype = dtype_, .device = device()});
  copy_elements(result, *this);
  return result;
}

Tensor Tensor::clone() const {
  const Tensor result = empty_like(*this);
  copy_elements(result, *this);
  return result;
}

Tensor Tensor::to(DType dtype) const {
  if (dtype == this->dtype()) return *this;
  return converted(*this, dtype, usual_overflow(dtype));
}

Tensor Tensor::to(DType dtype, Overflow overflow) const {
  check(is_floating(dtype) && size_of(dtype) <= 2,
        "to {}: only bf16, fp16, e4m3fn and e5m2 have a choice of what overflow becomes",
        napkin::name(dtype));
  return dtype == this->dtype() ? *this : converted(*this, dtype, overflow);
}

Tensor Tensor::to(Device device) const {
  if (device == this->device()) return *this;
  if (device == Device::meta)
    return empty_strided(shape(), strides_like(layout_), {.dtype = dtype_, .device = device});
  check(this->device() != Device::meta, "to {}: a meta tensor has a shape only, no data",
        napkin::name(device));
  return moved(is_dense(layout_) ? *this : clone(), device);
}

}  // namespace napkin
