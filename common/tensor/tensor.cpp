// Tensor: what it says about itself, its views, and reading single elements. Copies and writing in
// place are in operations/copy.cpp and elementwise.cpp.
#include "common/tensor/tensor.h"

#include "common/gpu/copy.h"
#include "common/numeric/convert.h"
#include "common/tensor/views.h"

namespace napkin {

Tensor::Tensor(StoragePointer storage, DType dtype, const Layout& layout)
    : storage_(std::move(storage)), layout_(layout), dtype_(dtype) {
  check(defined(), "a tensor of shape {} needs a storage", layout.shape);
  const std::int64_t places = storage_->bytes() / size_of(dtype);
  napkin::as_strided(layout.shape, layout.strides, layout.offset, places);  // refuses bad ones
}

Tensor Tensor::with(const Layout& layout) const {
  Tensor result;
  result.storage_ = storage_;
  result.layout_ = layout;
  result.dtype_ = dtype_;
  return result;
}

void Tensor::refuse_undefined() {
  fail("the tensor is undefined: none was assigned to it, or it was moved away");
}

std::int64_t Tensor::size(int d) const {
  check(rank() > 0, "size({}): a 0-dimensional tensor has no sizes", d);
  return layout_.shape[wrap_dimension(d, rank())];
}

std::int64_t Tensor::stride(int d) const {
  check(rank() > 0, "stride({}): a 0-dimensional tensor has no strides", d);
  return layout_.strides[wrap_dimension(d, rank())];
}

std::int64_t Tensor::numel() const { return count_elements(shape()); }
std::int64_t Tensor::bytes() const { return multiply(numel(), size_of(dtype_)); }
std::int64_t Tensor::storage_bytes() const { return storage()->bytes(); }
std::int64_t Tensor::allocated_bytes() const { return storage()->allocated_bytes(); }
Device Tensor::device() const { return storage()->device(); }

DType Tensor::dtype() const {
  static_cast<void>(layout());
  return dtype_;
}

const StoragePointer& Tensor::storage() const {
  static_cast<void>(layout());
  return storage_;
}

bool Tensor::is_contiguous() const { return napkin::is_contiguous(layout()); }

bool Tensor::shares_storage(const Tensor& other) const { return storage() == other.storage(); }

Tensor Tensor::view(const Shape& shape) const { return with(napkin::view(layout(), shape)); }
Tensor Tensor::transpose(int a, int b) const { return with(napkin::transpose(layout(), a, b)); }
Tensor Tensor::permute(const Dims& order) const { return with(napkin::permute(layout(), order)); }

Tensor Tensor::t() const {
  check(rank() <= 2,
        "t() of shape {}: at most 2 dimensions can be meant; transpose(a, b) names two",
        layout_.shape);
  return rank() < 2 ? *this : transpose(0, 1);
}

Tensor Tensor::select(int d, std::int64_t index) const {
  return with(napkin::select(layout(), d, index));
}

Tensor Tensor::slice(int d, std::int64_t start, std::int64_t stop, std::int64_t step) const {
  return with(napkin::slice(layout(), d, start, stop, step));
}

Tensor Tensor::expand(const Shape& shape) const { return with(napkin::expand(layout(), shape)); }
Tensor Tensor::unsqueeze(int d) const { return with(napkin::unsqueeze(layout(), d)); }
Tensor Tensor::squeeze() const { return with(napkin::squeeze(layout())); }
Tensor Tensor::squeeze(int d) const { return with(napkin::squeeze(layout(), d)); }

Tensor Tensor::unfold(int d, std::int64_t size, std::int64_t step) const {
  return with(napkin::unfold(layout(), d, size, step));
}

Tensor Tensor::as_strided(const Shape& shape, const Strides& strides, std::int64_t offset) const {
  const std::int64_t places = storage_bytes() / size_of(dtype_);
  return with(napkin::as_strided(shape, strides, offset, places));
}

Tensor Tensor::reshape(const Shape& shape) const {
  const Shape inferred = infer_shape(shape, numel());
  const std::optional<Strides> strides = view_strides(layout_, inferred);
  return strides ? with({inferred, *strides, layout_.offset}) : contiguous().view(inferred);
}

Tensor Tensor::flatten(int first, int last) const {
  const Shape flat = flattened(shape(), first, last);
  return flat.size() == rank() && rank() > 0 ? *this : reshape(flat);
}

Scalar Tensor::item() const {
  check(numel() == 1, "item() of shape {}: one element is one number, this tensor has {}",
        layout_.shape, numel());
  check_readable();
  return element(layout_.offset);
}

Scalar Tensor::at(const Dims& index) const {
  const std::int64_t place = position(layout(), index);
  check_readable();
  return element(place);
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  const std::int64_t count = numel();
  check_readable();
  if (device() != Device::cpu) return to(Device::cpu).to_vector<T>();
  std::vector<T> values;
  try {
    values.reserve(static_cast<std::size_t>(count));
  } catch (const std::exception&) {
    fail("to_vector: {} elements of {} bytes do not fit into memory", count, sizeof(T));
  }
  Dims index(rank(), 0);
  std::int64_t place = layout_.offset;
  for (std::int64_t n = 0; n < count; ++n) {
    const Scalar value = element(place);
    values.push_back(value.is_floating() ? convert<T>(value.to_double())
                                         : convert<T>(value.to_int64()));
    // The next index, like an odometer: a dimension that is through starts again at 0.
    for (int d = rank() - 1; d >= 0; --d) {
      if (++index[d] < layout_.shape[d]) {
        place += layout_.strides[d];
        break;
      }
      place -= (layout_.shape[d] - 1) * layout_.strides[d];
      index[d] = 0;
    }
  }
  return values;
}

template std::vector<double> Tensor::to_vector() const;
template std::vector<float> Tensor::to_vector() const;
template std::vector<BFloat16> Tensor::to_vector() const;
template std::vector<Float16> Tensor::to_vector() const;
template std::vector<Float8E4M3fn> Tensor::to_vector() const;
template std::vector<Float8E5M2> Tensor::to_vector() const;
template std::vector<std::int64_t> Tensor::to_vector() const;
template std::vector<std::int32_t> Tensor::to_vector() const;
template std::vector<std::uint16_t> Tensor::to_vector() const;
template std::vector<std::uint8_t> Tensor::to_vector() const;
template std::vector<bool> Tensor::to_vector() const;

Scalar Tensor::element(std::int64_t place) const {
  return visit(dtype_, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::Type;
    using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;  // bool: any byte
    const Stored* at = reinterpret_cast<const Stored*>(storage_->data()) + place;
    Stored x;
    if (device() == Device::cuda)
      gpu::copy_to_host(&x, at, sizeof(x));
    else
      x = *at;
    if constexpr (std::is_same_v<T, bool>)
      return x != 0;
    else
      return x;
  });
}

void Tensor::check_readable() const {
  check(device() != Device::meta,
        "the elements of a meta tensor cannot be read: it has a shape only, no data");
}

void Tensor::check_dtype(DType asked) const {
  check(asked == dtype(), "data of dtype {} asked for as {}", napkin::name(dtype_),
        napkin::name(asked));
}

void* Tensor::raw_data() const {
  check(device() != Device::meta, "a meta tensor has a shape only, no data");
  // Without elements the offset may lie anywhere.
  return numel() == 0 ? storage_->data() : storage_->data() + layout_.offset * size_of(dtype_);
}

}  // namespace napkin
