#include "common/tensor/copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/boxes.h"
#include "common/tensor/create.h"
#include "common/tensor/fast/stream.h"
#include "common/tensor/fast/transpose.h"
#include "common/tensor/number.h"

namespace napkin {
namespace {

std::byte* elements_of(const Tensor& x) { return static_cast<std::byte*>(x.raw_data()); }

constexpr std::int64_t boxes_per_thread = 32;

// Any layouts and dtypes, box by box.
void copy_boxes(const Walk& walk, const Operand& to, const Operand& from, bool streams) {
  // The same dtype goes through as it is; others meet in the source's compute type.
  const DType between = to.dtype == from.dtype ? to.dtype : fast::compute_type(from.dtype);
  parallel_for(walk.boxes(), boxes_per_thread, [&](std::int64_t first, std::int64_t last) {
    BoxReader reader;
    reader.open(walk, from, between, between);
    BoxWriter writer(walk, to, between, streams);
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk, n);
      writer.write(box, reader.read(box));
    }
  });
}

// One unbroken stretch to another.
void copy_stretch(std::byte* to, const std::byte* from, std::int64_t bytes, bool streams) {
  constexpr std::int64_t grain = 64 << 10;
  parallel_for(bytes, grain, [&](std::int64_t first, std::int64_t last) {
    if (!streams) {
      std::memcpy(to + first, from + first, static_cast<std::size_t>(last - first));
      return;
    }
    fast::stream(to + first, from + first, last - first);
    fast::stream_fence();
  });
}

bool is_one_stretch(const Walk& walk) {
  return walk.shape.size() == 2 && walk.shape[1] == 1 && walk.strides[0][0] == 1 &&
         walk.strides[1][0] == 1;
}

// Whether the source's elements stand side by side along the walk's second dimension while the
// destination's do along the first.
bool is_transposed(const Walk& walk) {
  return walk.strides[0][0] == 1 && walk.strides[1][0] != 1 && walk.strides[1][1] == 1 &&
         walk.shape[1] > 1;
}

// A matrix to its transpose, or a batch of them: the walk's first two dimensions, block by block,
// for every index of the others.
void copy_transposed(Walk walk, std::byte* to, const std::byte* from, std::int64_t size,
                     bool streams) {
  const fast::Transposition whole{
      to, walk.strides[0][1], from, walk.strides[1][0], walk.shape[0], walk.shape[1], size};
  const fast::TransposeBlock block = fast::transpose_block(whole, streams);
  walk.columns = std::min(walk.shape[0], block.rows);
  walk.rows = std::min(walk.shape[1], block.columns);
  const std::int64_t grain =
      std::max<std::int64_t>(1, boxes_per_thread * Walk::box_elements / (walk.columns * walk.rows));
  parallel_for(walk.boxes(), grain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n) {
      const Box box = box_at(walk, n);
      fast::transpose({to + box.start[0] * size, whole.to_step, from + box.start[1] * size,
                       whole.from_step, box.columns, box.rows, size},
                      streams);
    }
    if (streams) fast::stream_fence();
  });
}

void copy_on_cpu(const Tensor& destination, const Tensor& source) {
  const Layout* layouts[] = {&destination.layout(), &source.layout()};
  const Walk walk = plan_walk(layouts);
  const bool streams = destination.bytes() >= fast::streaming_bytes;
  std::byte* to = elements_of(destination);
  const std::byte* from = elements_of(source);
  const std::int64_t size = size_of(destination.dtype());
  const bool same = destination.dtype() == source.dtype();
  if (same && is_one_stretch(walk)) return copy_stretch(to, from, walk.shape[0] * size, streams);
  if (same && is_transposed(walk)) return copy_transposed(walk, to, from, size, streams);
  copy_boxes(walk, {0, destination.dtype(), to}, {1, source.dtype(), elements_of(source)}, streams);
}

// The last place that an element takes, counted from the storage's first; the layout is not empty.
std::int64_t last_place(const Layout& layout) {
  std::int64_t last = layout.offset;
  for (int d = 0; d < layout.rank(); ++d) last += (layout.shape[d] - 1) * layout.strides[d];
  return last;
}

}  // namespace

void check_writable(const Tensor& x, std::string_view operation) {
  check(!may_overlap(x.layout()),
        "{}_: several elements of a tensor of shape {} with strides {} share one place in memory "
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
  if (anyone_listens())
    notify(OperationEvent{"copy", destination.device(), 0, distinct_bytes(source),
                          destination.bytes()});
  if (destination.device() == Device::cpu && destination.numel() > 0)
    copy_on_cpu(destination, source);
}

Tensor& Tensor::fill_(Scalar value) {
  check_writable(*this, "fill");
  check_fits(value, dtype_, "fill_");
  if (device() == Device::cpu && numel() > 0) {
    alignas(8) std::byte element[8];
    store_number(value, dtype_, element);
    const Layout repeated = napkin::expand(Layout{}, shape());
    const Layout* layouts[] = {&layout_, &repeated};
    copy_boxes(plan_walk(layouts), {0, dtype_, elements_of(*this)}, {1, dtype_, element},
               bytes() >= fast::streaming_bytes);
  }
  notify(OperationEvent{"fill", device(), 0, 0, bytes()});
  storage_->bump_version();
  return *this;
}

Tensor& Tensor::zero_() { return fill_(0); }

Tensor& Tensor::copy_(const Tensor& source) {
  check_writable(*this, "copy");
  check(source.device() == device(), "copy_: from {} to {}", napkin::name(source.device()),
        napkin::name(device()));
  const Tensor from = source.expand(shape());
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
  const Tensor result =
      empty_strided(shape(), strides_like(layout_), {.dtype = dtype, .device = device()});
  copy_elements(result, *this);
  return result;
}

Tensor Tensor::to(Device device) const {
  if (device == this->device()) return *this;
  check(device == Device::meta, "a {} tensor cannot be copied to {}", napkin::name(this->device()),
        napkin::name(device));
  return empty_strided(shape(), strides_like(layout_), {.dtype = dtype_, .device = device});
}

}  // namespace napkin
