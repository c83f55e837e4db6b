#include "common/tensor/number.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "common/numeric/convert.h"

namespace napkin {
namespace {

// The largest finite number of a dtype, as fp64.
template <class T>
constexpr double largest() {
  if constexpr (is_small_float<T>)
    return decode(T::format, T::format.largest_code());
  else
    return static_cast<double>(std::numeric_limits<T>::max());
}

template <class T>
constexpr bool has_infinity = !std::is_same_v<T, Float8E4M3fn>;

template <class T>
bool fits_integer(Scalar value) {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  if (value.is_floating()) {
    const double whole = std::trunc(value.to_double());
    // 2^63 - 1 is no double: its successor is, and must stay outside.
    const double past = 2 * static_cast<double>(high / 2 + 1);
    return whole < past && whole >= (low == 0 ? 1 - past : static_cast<double>(low));
  }
  const std::int64_t whole = value.to_int64();
  return std::is_same_v<T, std::int64_t> ||
         (whole <= static_cast<std::int64_t>(high) &&
          whole >= (low == 0 ? -static_cast<std::int64_t>(high) : static_cast<std::int64_t>(low)));
}

template <class T>
bool fits(Scalar value) {
  if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_integral_v<T>)
    return fits_integer<T>(value);
  else if (std::isnan(value.to_double()) || (std::isinf(value.to_double()) && has_infinity<T>))
    return true;
  else
    return std::abs(value.to_double()) <= largest<T>();
}

}  // namespace

void check_fits(Scalar value, DType dtype, const char* what) {
  const bool good =
      visit(dtype, [&](auto tag) { return fits<typename decltype(tag)::Type>(value); });
  if (!good) fail("{}: {} does not fit {}", what, to_string(value), name(dtype));
}

void store_number(Scalar value, DType dtype, std::byte* to) {
  visit(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T element =
        value.is_floating() ? convert<T>(value.to_double()) : convert<T>(value.to_int64());
    std::memcpy(to, &element, sizeof(T));
  });
}

}  // namespace napkin
