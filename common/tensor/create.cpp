#include "common/tensor/create.h"

#include <algorithm>
#include <cmath>

#include "common/core/units.h"
#include "common/numeric/convert.h"
#include "common/tensor/order.h"

namespace napkin {
namespace {

template <class Number>
void check_direction(Number start, Number end, Number step) {
  check(step != 0, "arange from {} to {}: the step is 0", start, end);
  check(step > 0 ? start <= end : start >= end,
        "arange from {} to {}: steps of {} lead away from the end", start, end, step);
}

// How many of start, start + step, ... lie before end. Unsigned inside, since the distance of two
// 64-bit numbers may need all 64 bits.
std::int64_t count_numbers(std::int64_t start, std::int64_t end, std::int64_t step) {
  check_direction(start, end, step);
  if (start == end) return 0;
  const auto a = static_cast<std::uint64_t>(start), b = static_cast<std::uint64_t>(end);
  const auto s = static_cast<std::uint64_t>(step);
  const std::uint64_t count = step > 0 ? (b - a - 1) / s + 1 : (a - b - 1) / (0 - s) + 1;
  check(std::in_range<std::int64_t>(count), "arange from {} to {} by {}: {} numbers pass 2^63 - 1",
        start, end, step, count);
  return static_cast<std::int64_t>(count);
}

std::int64_t count_numbers(double start, double end, double step) {
  check(std::isfinite(start) && std::isfinite(end) && std::isfinite(step),
        "arange from {} to {} by {}: the numbers must be finite", start, end, step);
  check_direction(start, end, step);
  const double count = std::ceil((end - start) / step);
  check(count < 0x1p63, "arange from {} to {} by {}: {} numbers pass 2^63 - 1", start, end, step,
        count);
  return static_cast<std::int64_t>(count);
}

Tensor arange_of_integers(std::int64_t start, std::int64_t end, std::int64_t step,
                          Options options) {
  const std::int64_t count = count_numbers(start, end, step);
  const Tensor x = empty({count}, options);
  // start + i step never leaves [start, end), but i step alone may pass 2^63 - 1.
  const auto number = [&](std::int64_t i) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                     static_cast<std::uint64_t>(i) *
                                         static_cast<std::uint64_t>(step));
  };
  visit(options.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (const std::int64_t i : {std::int64_t{0}, count - 1})
      check(count == 0 || convert<std::int64_t>(convert<T>(number(i))) == number(i),
            "arange from {} to {}: {} is no {}", start, end, number(i), name(options.dtype));
    if (options.device != Device::cpu) return;
    T* data = x.data<T>();
    for (std::int64_t i = 0; i < count; ++i) data[i] = convert<T>(number(i));
  });
  return x;
}

Tensor arange_of_reals(double start, double end, double step, Options options) {
  const std::int64_t count = count_numbers(start, end, step);
  const Tensor x = empty({count}, options);
  if (options.device != Device::cpu) return x;
  visit(options.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T* data = x.data<T>();
    for (std::int64_t i = 0; i < count; ++i)
      data[i] = convert<T>(start + static_cast<double>(i) * step);
  });
  return x;
}

}  // namespace

Tensor empty_strided(const Shape& shape, const Strides& strides, Options options) {
  const std::int64_t elements = count_elements(shape);
  const std::int64_t size = size_of(options.dtype);
  check(elements <= std::numeric_limits<std::int64_t>::max() / size,
        "shape {}: {} elements of {} bytes ({}) pass 2^63 - 1 bytes", shape, elements, size,
        name(options.dtype));
  auto storage = std::make_shared<Storage>(elements * size, options.device, options.category);
  return Tensor(std::move(storage), options.dtype, {shape, strides, 0});
}

Tensor empty(const Shape& shape, Options options) {
  count_elements(shape);  // refuses the shape before strides are made of it
  return empty_strided(shape, contiguous_strides(shape), options);
}

Tensor empty_like(const Tensor& other) {
  return empty_strided(other.shape(), strides_like(other.layout()),
                       {.dtype = other.dtype(), .device = other.device()});
}

Tensor full(const Shape& shape, Scalar value, Options options) {
  Tensor x = empty(shape, options);
  x.fill_(value);
  return x;
}

Tensor zeros(const Shape& shape, Options options) { return full(shape, 0, options); }
Tensor ones(const Shape& shape, Options options) { return full(shape, 1, options); }

Tensor arange(Scalar end, Options options) { return arange(0, end, 1, options); }

Tensor arange(Scalar start, Scalar end, Scalar step, Options options) {
  check(options.dtype != DType::boolean, "arange: bool has no numbers to count with");
  if (options.device == Device::cuda) {  // counted here, then copied
    const Tensor counted = arange(start, end, step, {.dtype = options.dtype});
    return empty(counted.shape(), options).copy_(counted);
  }
  if (is_floating(options.dtype))
    return arange_of_reals(start.to_double(), end.to_double(), step.to_double(), options);
  for (const Scalar number : {start, end, step})
    check(!number.is_floating() || number == Scalar(std::trunc(number.to_double())),
          "arange: {} is not a whole number, which dtype {} needs; name a floating dtype",
          to_string(number), name(options.dtype));
  return arange_of_integers(start.to_int64(), end.to_int64(), step.to_int64(), options);
}

template <class T>
Tensor from_data(std::span<const T> values, const Shape& shape) {
  const std::int64_t elements = count_elements(shape);
  check(std::cmp_equal(elements, values.size()), "{} for shape {}, which has {}",
        counted(std::ssize(values), "value"), shape, counted(elements, "element"));
  const Tensor x = empty(shape, {.dtype = dtype_of<T>});
  std::copy(values.begin(), values.end(), x.data<T>());
  return x;
}

template Tensor from_data(std::span<const double>, const Shape&);
template Tensor from_data(std::span<const float>, const Shape&);
template Tensor from_data(std::span<const BFloat16>, const Shape&);
template Tensor from_data(std::span<const Float16>, const Shape&);
template Tensor from_data(std::span<const Float8E4M3fn>, const Shape&);
template Tensor from_data(std::span<const Float8E5M2>, const Shape&);
template Tensor from_data(std::span<const std::int64_t>, const Shape&);
template Tensor from_data(std::span<const std::int32_t>, const Shape&);
template Tensor from_data(std::span<const std::uint16_t>, const Shape&);
template Tensor from_data(std::span<const std::uint8_t>, const Shape&);
template Tensor from_data(std::span<const bool>, const Shape&);

Tensor scalar_tensor(Scalar value) {
  const DType dtype = value.is_floating()  ? DType::fp32
                      : value.is_integer() ? DType::int64
                                           : DType::boolean;
  return full({}, value, {.dtype = dtype});
}

}  // namespace napkin
