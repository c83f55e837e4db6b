// Tensor: a shared storage and the layout by which its elements are found (lecture 2.3).
//
// Copying a Tensor copies the handle, not the elements. Views share the storage, allocate nothing
// and cost some nanoseconds. Names and behaviour follow PyTorch; a trailing underscore means
// in place. Refusals throw napkin::Error. Gradients live elsewhere (autograd).
#pragma once
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/core/device.h"
#include "common/core/error.h"
#include "common/numeric/dtype.h"
#include "common/tensor/layout.h"
#include "common/tensor/scalar.h"
#include "common/tensor/storage.h"

namespace napkin {

class Tensor {
 public:
  static constexpr std::int64_t to_end = std::numeric_limits<std::int64_t>::max();

  // Undefined: refuses every use but defined(), assignment and printing.
  Tensor() = default;
  // Refuses a layout that leaves the storage.
  Tensor(StoragePointer storage, DType dtype, const Layout& layout);

  bool defined() const { return storage_ != nullptr; }
  const Layout& layout() const {
    if (!defined()) [[unlikely]]
      refuse_undefined();
    return layout_;
  }
  const Shape& shape() const { return layout().shape; }
  const Strides& strides() const { return layout().strides; }
  std::int64_t offset() const { return layout().offset; }
  int rank() const { return layout().rank(); }
  std::int64_t size(int d) const;  // negative d from the end
  std::int64_t stride(int d) const;
  std::int64_t numel() const;            // number of elements
  std::int64_t bytes() const;            // numel x size of an element: what this view shows
  std::int64_t storage_bytes() const;    // what the whole storage holds
  std::int64_t allocated_bytes() const;  // what it takes on its device: 0 on meta
  DType dtype() const;
  Device device() const;
  const StoragePointer& storage() const;
  bool is_contiguous() const;
  bool shares_storage(const Tensor& other) const;

  // Views: the same storage under another layout.
  Tensor view(const Shape& shape) const;  // one size may be -1; refused where a copy is needed
  Tensor transpose(int a, int b) const;
  Tensor t() const;  // rank 2 or less
  Tensor permute(const Dims& order) const;
  Tensor select(int d, std::int64_t index) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  Tensor slice(int d, std::int64_t start, std::int64_t stop = to_end, std::int64_t step = 1) const;
  Tensor expand(const Shape& shape) const;
  Tensor unsqueeze(int d) const;
  Tensor squeeze() const;
  Tensor squeeze(int d) const;
  Tensor unfold(int d, std::int64_t size, std::int64_t step) const;
  Tensor as_strided(const Shape& shape, const Strides& strides, std::int64_t offset) const;

  // Views where they can be, copies where they must be.
  Tensor reshape(const Shape& shape) const;
  Tensor flatten(int first = 0, int last = -1) const;
  Tensor contiguous() const;

  // Copies.
  Tensor clone() const;          // keeps the strides of a dense tensor, as PyTorch does
  Tensor to(DType dtype) const;  // itself where nothing changes
  // To bf16, fp16, e4m3fn or e5m2: what becomes of numbers past the largest one (convert.h).
  Tensor to(DType dtype, Overflow overflow) const;
  Tensor to(Device device) const;  // keeps the strides of a dense tensor; from meta: refused

  // In place, through this view, seen by the base and by every other view. Refused where two
  // elements of the view are one place of the storage (an expanded tensor).
  Tensor& fill_(Scalar value);
  Tensor& zero_();
  // Broadcasts, converts, from any device with data; an overlapping source is right.
  Tensor& copy_(const Tensor& source);
  Tensor& add_(const Tensor& other, Scalar alpha = 1);
  Tensor& sub_(const Tensor& other, Scalar alpha = 1);
  Tensor& mul_(const Tensor& other);
  Tensor& div_(const Tensor& other);
  Tensor& add_(Scalar value);
  Tensor& sub_(Scalar value);
  Tensor& mul_(Scalar value);
  Tensor& div_(Scalar value);
  Tensor& addcmul_(const Tensor& b, const Tensor& c, Scalar value = 1);
  Tensor& lerp_(const Tensor& other, Scalar weight);
  Tensor& clamp_(std::optional<Scalar> low, std::optional<Scalar> high = {});

  // One element as a number; for item(), the only one. Refused on meta. These wait for the GPU
  // where the tensor is there.
  Scalar item() const;
  Scalar at(const Dims& index) const;
  // All elements in row-major order, converted. Refused on meta.
  template <class T>
  std::vector<T> to_vector() const;

  // The elements' memory from offset on, for loops over raw memory on the tensor's device; T must
  // match the dtype. Refused on meta.
  template <class T>
  T* data() const {
    check_dtype(dtype_of<T>);
    return static_cast<T*>(raw_data());
  }
  void* raw_data() const;

 private:
  [[noreturn]] static void refuse_undefined();
  void check_dtype(DType asked) const;
  void check_readable() const;
  Scalar element(std::int64_t position) const;
  Tensor with(const Layout& layout) const;  // the same storage, seen differently

  StoragePointer storage_;
  Layout layout_;
  DType dtype_ = DType::fp32;
};

}  // namespace napkin
