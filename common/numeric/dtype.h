// The element types of tensors, and how two of them combine.
//
// Names follow the lecture (fp32, bf16); PyTorch's names (float32, bfloat16) are accepted as input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/core/error.h"
#include "common/numeric/small_float.h"

namespace napkin {

// Listed from the widest: promote() relies on the order.
enum class DType : std::uint8_t {
  // clang-format off
  fp64, fp32, bf16, fp16, e4m3fn, e5m2, int64, int32, uint16, uint8, boolean,
  // clang-format on
};

inline constexpr DType all_dtypes[] = {DType::fp64,   DType::fp32,  DType::bf16,   DType::fp16,
                                       DType::e4m3fn, DType::e5m2,  DType::int64,  DType::int32,
                                       DType::uint16, DType::uint8, DType::boolean};

// "fp32", "bf16", "int64", "bool" ...
std::string_view name(DType dtype);

// The dtype of that name (ours or PyTorch's); refuses others with the list of those allowed.
DType dtype_named(std::string_view text);

// Bytes of one element.
std::int64_t size_of(DType dtype);

constexpr bool is_floating(DType d) { return d <= DType::e5m2; }
constexpr bool is_fp8(DType d) { return d == DType::e4m3fn || d == DType::e5m2; }

// The type in which a dtype's elements are computed; it holds each of them exactly.
constexpr DType compute_type(DType d) {
  if (d == DType::fp64) return DType::fp64;
  return is_floating(d) ? DType::fp32 : DType::int64;
}

// The smallest dtype that both convert to, as torch.promote_types: bf16 with fp16 is fp32, an
// integer with a floating type is that floating type; uint16 with another integer or bool is
// refused, and so is an FP8 type with any other (as in PyTorch).
DType promote(DType a, DType b);

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::fp64;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::fp32;
};
template <>
struct DTypeOf<BFloat16> {
  static constexpr DType value = DType::bf16;
};
template <>
struct DTypeOf<Float16> {
  static constexpr DType value = DType::fp16;
};
template <>
struct DTypeOf<Float8E4M3fn> {
  static constexpr DType value = DType::e4m3fn;
};
template <>
struct DTypeOf<Float8E5M2> {
  static constexpr DType value = DType::e5m2;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::int64;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::int32;
};
template <>
struct DTypeOf<std::uint16_t> {
  static constexpr DType value = DType::uint16;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::uint8;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::boolean;
};
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

template <class T>
struct TypeTag {
  using Type = T;
};

// Calls f(TypeTag<T>{}) with the C++ type T of the dtype:
//   visit(dtype, [&](auto tag) { using T = typename decltype(tag)::Type; ... });
template <class F>
decltype(auto) visit(DType dtype, F&& f) {
  switch (dtype) {
    case DType::fp64:
      return f(TypeTag<double>{});
    case DType::fp32:
      return f(TypeTag<float>{});
    case DType::bf16:
      return f(TypeTag<BFloat16>{});
    case DType::fp16:
      return f(TypeTag<Float16>{});
    case DType::e4m3fn:
      return f(TypeTag<Float8E4M3fn>{});
    case DType::e5m2:
      return f(TypeTag<Float8E5M2>{});
    case DType::int64:
      return f(TypeTag<std::int64_t>{});
    case DType::int32:
      return f(TypeTag<std::int32_t>{});
    case DType::uint16:
      return f(TypeTag<std::uint16_t>{});
    case DType::uint8:
      return f(TypeTag<std::uint8_t>{});
    case DType::boolean:
      break;
  }
  return f(TypeTag<bool>{});
}

}  // namespace napkin
