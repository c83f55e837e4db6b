#include "common/tensor/random/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "common/numeric/convert.h"
#include "common/tensor/random/draws.h"

namespace napkin {
namespace {

// A new tensor whose elements fill(data) sets. On the host wherever the tensor lives; not on meta.
template <class T, class Fill>
Tensor filled(const Shape& shape, const Options& options, Fill&& fill) {
  Tensor x = empty(shape, options);  // refuses the shape and the device
  if (options.device == Device::meta) return x;
  const bool here = options.device == Device::cpu;
  const Tensor host = here ? x : empty(shape, {.dtype = options.dtype});
  fill(std::span(host.data<T>(), static_cast<std::size_t>(host.numel())));
  if (!here) x.copy_(host);
  return x;
}

void refuse_fp8(const char* what, DType dtype) {
  check(!is_fp8(dtype), "{} of dtype {}: not defined; draw fp32 and convert it", what, name(dtype));
}

void check_floating(const char* what, DType dtype) {
  check(is_floating(dtype) && !is_fp8(dtype),
        "{} of dtype {}: fp64, fp32, bf16 or fp16 are allowed", what, name(dtype));
}

// The same for floating dtypes: fill(data) of double, float, BFloat16 or Float16.
template <class Fill>
Tensor filled_with_reals(const Shape& shape, const Options& options, Fill&& fill) {
  switch (options.dtype) {
    case DType::fp64:
      return filled<double>(shape, options, fill);
    case DType::bf16:
      return filled<BFloat16>(shape, options, fill);
    case DType::fp16:
      return filled<Float16>(shape, options, fill);
    default:
      return filled<float>(shape, options, fill);
  }
}

bool is_finite_in(DType dtype, double x) {
  return visit(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return std::isfinite(convert<double>(convert<T>(x)));
  });
}

// Bits of the significand, the leading one included: whole numbers up to 2^bits have no gaps.
template <class T>
constexpr int significant_bits() {
  if constexpr (is_small_float<T>)
    return T::format.mantissa_bits + 1;
  else
    return std::numeric_limits<T>::digits;
}

// As PyTorch converts it: to a small type by way of float.
template <class T>
T from_whole(std::int64_t x) {
  if constexpr (is_small_float<T>)
    return convert<T>(static_cast<float>(x));
  else
    return convert<T>(x);
}

// Distance of neighbouring numbers of T at x, where it is 1 or more.
template <class T>
std::int64_t spacing_at(std::int64_t x) {
  const auto magnitude = static_cast<std::uint64_t>(x < 0 ? -x : x);
  return std::int64_t{1} << (std::bit_width(magnitude) - significant_bits<T>());
}

struct WholeRange {
  std::int64_t low, high;  // [low, high)
};

// The range narrowed so that no number of it is rounded to one outside. PyTorch's rule: a low end
// that rounds down moves up to the next number of T, a high end likewise down.
template <class T>
WholeRange within_floating(WholeRange range) {
  const auto rounded = [](std::int64_t x) { return convert<std::int64_t>(from_whole<T>(x)); };
  if (const std::int64_t next = rounded(range.low + 1); next < range.low)
    range.low = next + spacing_at<T>(range.low + 1);
  if (const std::int64_t last = rounded(range.high - 1); last >= range.high)
    range.high = last - spacing_at<T>(range.high - 1);
  return range;
}

template <class T>
WholeRange checked_range(std::int64_t low, std::int64_t high) {
  check(low < high, "randint from {} to {}: no number lies there (the end is not drawn)", low,
        high);
  WholeRange range{low, high};
  if constexpr (is_floating(dtype_of<T>)) range = within_floating<T>(range);
  const auto holds = [](std::int64_t x) {
    if constexpr (is_floating(dtype_of<T>))
      return std::isfinite(convert<double>(from_whole<T>(x)));
    else
      return convert<std::int64_t>(convert<T>(x)) == x;
  };
  check(range.low < range.high && holds(range.low) && holds(range.high - 1),
        "randint from {} to {}: dtype {} does not hold these numbers", low, high,
        name(dtype_of<T>));
  return range;
}

// How many of 0, 1, 2, ... the dtype holds without a gap, but for int64 (all).
template <class T>
constexpr std::int64_t most_counted() {
  if constexpr (is_floating(dtype_of<T>))
    return (1ll << significant_bits<T>()) + 1;
  else if constexpr (sizeof(T) == 8)
    return std::numeric_limits<T>::max();
  else
    return std::int64_t{std::numeric_limits<T>::max()} + 1;
}

// The numbers 0 ... n-1 in a random order (Durstenfeld 1964); from 2^32 / 20 on, PyTorch's other
// form of it, with 64 bits a draw.
template <class T>
void draw_order(std::span<T> out, Generator& g) {
  const std::size_t n = out.size();
  if (n >= std::numeric_limits<std::uint32_t>::max() / 20) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = g.random64() % (i + 1);
      out[i] = out[at];
      out[at] = from_whole<T>(static_cast<std::int64_t>(i));
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = from_whole<T>(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i + 1 < n; ++i) std::swap(out[i], out[i + g.random() % (n - i)]);
}

}  // namespace

Tensor uniform(const Shape& shape, double low, double high, Options options, Generator& g) {
  check_floating("uniform", options.dtype);
  check(low <= high, "uniform from {} to {}: the end must not lie before the beginning", low, high);
  for (const double x : {low, high, high - low})
    check(is_finite_in(options.dtype, x), "uniform from {} to {}: {} is past the range of {}", low,
          high, x, name(options.dtype));
  return filled_with_reals(shape, options, [&](auto out) { draw_uniform(out, low, high, g); });
}

Tensor rand(const Shape& shape, Options options, Generator& g) {
  check_floating("rand", options.dtype);
  return filled_with_reals(shape, options, [&](auto out) { draw_uniform(out, 0, 1, g); });
}

Tensor randn(const Shape& shape, Options options, Generator& g) {
  check_floating("randn", options.dtype);
  return filled_with_reals(shape, options, [&](auto out) { draw_normal(out, 0, 1, g); });
}

Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape, Options options,
               Generator& g) {
  refuse_fp8("randint", options.dtype);
  return visit(options.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto range = checked_range<T>(low, high);
    const auto width =
        static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    return filled<T>(shape, options, [&](std::span<T> out) {
      for (T& x : out) x = from_whole<T>(draw_whole_number(range.low, width, g));
    });
  });
}

Tensor randperm(std::int64_t n, Options options, Generator& g) {
  refuse_fp8("randperm", options.dtype);
  check(n >= 0, "randperm of {}: a count of 0 or more is needed", n);
  return visit(options.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    check(n <= most_counted<T>(), "randperm of {}: dtype {} holds at most {} numbers from 0 on", n,
          name(options.dtype), most_counted<T>());
    return filled<T>({n}, options, [&](std::span<T> out) { draw_order(out, g); });
  });
}

Tensor bernoulli(const Shape& shape, double p, Options options, Generator& g) {
  refuse_fp8("bernoulli", options.dtype);
  check(p >= 0 && p <= 1, "bernoulli with probability {}: 0 to 1 are allowed", p);
  return visit(options.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return filled<T>(shape, options, [&](std::span<T> out) {
      for (T& x : out) x = convert<T>(draw_unit<float>(g) < static_cast<float>(p));
    });
  });
}

Tensor truncated_normal(const Shape& shape, double mean, double std, double low, double high,
                        Options options, Generator& g) {
  check_floating("truncated_normal", options.dtype);
  check(std::isfinite(mean), "truncated_normal with mean {}: it must be finite", mean);
  check(std > 0 && std::isfinite(std),
        "truncated_normal with standard deviation {}: it must be finite and above 0", std);
  check(low <= high, "truncated_normal cut to {} ... {}: the end must not lie before the beginning",
        low, high);
  return filled_with_reals(shape, options, [&](auto out) {
    const Generator before = g;
    try {
      draw_truncated_normal(out, {mean, std, low, high}, g);
    } catch (const Error&) {
      g = before;
      throw;
    }
  });
}

}  // namespace napkin
