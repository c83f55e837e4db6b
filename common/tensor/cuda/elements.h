// Elements in the memory of the GPU: 16 bytes at a time, or one by one with a dtype that is known
// only when the program runs. Plain C++ that the host runs, too.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/core/config.h"
#include "common/numeric/convert.h"
#include "common/numeric/dtype.h"

namespace napkin::cuda {

// As many elements as are read or written by one access.
template <class T, int n>
struct alignas(sizeof(T) * n) Packet {
  T elements[n];
};

inline constexpr std::int64_t packet_bytes = 16;  // the widest access of a GPU

// The type in which elements of T are computed (compute_type of numeric/dtype.h).
template <class T>
using Computed = std::conditional_t<
    std::is_same_v<T, double>, double,
    std::conditional_t<std::is_floating_point_v<T> || is_small_float<T>, float, std::int64_t>>;

template <class To, class From>
NAPKIN_HD To read_as(const std::byte* at) {
  if constexpr (std::is_same_v<From, bool>)  // uninitialised bytes may be neither 0 nor 1
    return convert<To>(*reinterpret_cast<const std::uint8_t*>(at) != 0);
  else
    return convert<To>(*reinterpret_cast<const From*>(at));
}

// Calls f(TypeTag<T>{}) for the dtypes that are computed in Compute; whatever else is asked for
// counts as the last of them.
template <class Compute, class F>
NAPKIN_HD decltype(auto) visit_computed(DType dtype, F&& f) {
  if constexpr (std::is_same_v<Compute, double>) {
    return f(TypeTag<double>{});
  } else if constexpr (std::is_same_v<Compute, float>) {
    if (dtype == DType::bf16) return f(TypeTag<BFloat16>{});
    if (dtype == DType::fp16) return f(TypeTag<Float16>{});
    if (dtype == DType::e4m3fn) return f(TypeTag<Float8E4M3fn>{});
    if (dtype == DType::e5m2) return f(TypeTag<Float8E5M2>{});
    return f(TypeTag<float>{});
  } else {
    if (dtype == DType::int32) return f(TypeTag<std::int32_t>{});
    if (dtype == DType::uint16) return f(TypeTag<std::uint16_t>{});
    if (dtype == DType::uint8) return f(TypeTag<std::uint8_t>{});
    if (dtype == DType::boolean) return f(TypeTag<bool>{});
    return f(TypeTag<std::int64_t>{});
  }
}

// compute_type() of the dtype is that of Compute.
template <class Compute>
NAPKIN_HD constexpr bool is_computed_in(DType dtype) {
  if constexpr (std::is_same_v<Compute, double>)
    return dtype == DType::fp64;
  else if constexpr (std::is_same_v<Compute, float>)
    return is_floating(dtype) && dtype != DType::fp64;
  else
    return !is_floating(dtype);
}

// The value that the dtype would hold: converted to it and on to the compute type.
template <class Compute, class From>
NAPKIN_HD Compute passed_through(DType dtype, From x) {
  const auto through = [&](auto tag) {
    return convert<Compute>(convert<typename decltype(tag)::Type>(x));
  };
  if (is_computed_in<double>(dtype)) return visit_computed<double>(dtype, through);
  if (is_computed_in<float>(dtype)) return visit_computed<float>(dtype, through);
  return visit_computed<std::int64_t>(dtype, through);
}

// The same for an element in memory. Apart from the kernels, which would all be long for the sake
// of rare cases.
template <class Compute>
NAPKIN_HD __attribute__((noinline)) Compute read_through(const std::byte* at, DType dtype,
                                                         DType through) {
  const auto read = [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return read_as<Computed<T>, T>(at);
  };
  if (is_computed_in<double>(dtype))
    return passed_through<Compute>(through, visit_computed<double>(dtype, read));
  if (is_computed_in<float>(dtype))
    return passed_through<Compute>(through, visit_computed<float>(dtype, read));
  return passed_through<Compute>(through, visit_computed<std::int64_t>(dtype, read));
}

// One element of any dtype, converted to `through` and then to Compute.
template <class Compute>
NAPKIN_HD Compute read_element(const std::byte* at, DType dtype, DType through) {
  const bool plain = dtype == through || through == dtype_of<Compute>;
  if (!plain || !is_computed_in<Compute>(dtype)) return read_through<Compute>(at, dtype, through);
  return visit_computed<Compute>(
      dtype, [&](auto tag) { return read_as<Compute, typename decltype(tag)::Type>(at); });
}

template <class From>
NAPKIN_HD __attribute__((noinline)) void write_converted(std::byte* at, DType dtype, From x,
                                                         Overflow overflow) {
  const auto write = [&](auto tag) {
    using T = typename decltype(tag)::Type;
    *reinterpret_cast<T*>(at) = convert<T>(x, overflow);
  };
  if (is_computed_in<double>(dtype)) return visit_computed<double>(dtype, write);
  if (is_computed_in<float>(dtype)) return visit_computed<float>(dtype, write);
  visit_computed<std::int64_t>(dtype, write);
}

// Writes a computed number, converted, as an element of any dtype.
template <class Compute>
NAPKIN_HD void write_element(std::byte* at, DType dtype, Compute x, Overflow overflow) {
  if (!is_computed_in<Compute>(dtype)) return write_converted(at, dtype, x, overflow);
  visit_computed<Compute>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    *reinterpret_cast<T*>(at) = convert<T>(x, overflow);
  });
}
template <class Compute>
NAPKIN_HD void write_element(std::byte* at, DType dtype, Compute x) {
  write_element(at, dtype, x, usual_overflow(dtype));
}

}  // namespace napkin::cuda
