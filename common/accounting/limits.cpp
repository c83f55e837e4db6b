#include "common/accounting/limits.h"

#include <algorithm>
#include <cstring>

#include "common/core/parallel.h"
#include "common/core/stopwatch.h"
#include "common/tensor/create.h"
#include "common/tensor/cpu/stream.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/accounting/limits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace napkin::accounting {
namespace HWY_NAMESPACE {

// Twelve chains that do not wait for each other hide the latency of an instruction; they begin with
// numbers of their own, lest the compiler see that they are one. Returns the operations done.
double multiply_and_add(std::int64_t rounds, float* kept) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const auto half = hn::Set(d, 0.5F), one = hn::Set(d, 1.0F);
  const auto from = [&](float x) { return hn::Set(d, x); };
  auto a = from(1), b = from(2), c = from(3), e = from(4), f = from(5), g = from(6);
  auto h = from(7), i = from(8), j = from(9), k = from(10), l = from(11), m = from(12);
  for (std::int64_t n = 0; n < rounds; ++n) {
    a = hn::MulAdd(a, half, one), b = hn::MulAdd(b, half, one), c = hn::MulAdd(c, half, one);
    e = hn::MulAdd(e, half, one), f = hn::MulAdd(f, half, one), g = hn::MulAdd(g, half, one);
    h = hn::MulAdd(h, half, one), i = hn::MulAdd(i, half, one), j = hn::MulAdd(j, half, one);
    k = hn::MulAdd(k, half, one), l = hn::MulAdd(l, half, one), m = hn::MulAdd(m, half, one);
  }
  const auto some = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(f, g));
  const auto rest = hn::Add(hn::Add(hn::Add(h, i), hn::Add(j, k)), hn::Add(l, m));
  *kept = hn::GetLane(hn::Add(some, rest));
  return static_cast<double>(rounds) * 12 * 2 * static_cast<double>(hn::Lanes(d));
}

}  // namespace HWY_NAMESPACE
}  // namespace napkin::accounting
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace napkin::accounting {

HWY_EXPORT(multiply_and_add);

double peak_flops() {
  constexpr std::int64_t rounds = 1 << 18;
  double operations = 0;
  const double seconds = best_seconds(10, 1, [&] {
    parallel_for(threads(), 1, [&](std::int64_t first, std::int64_t last) {
      float kept = 0;
      for (std::int64_t n = first; n < last; ++n) {
        const double done = HWY_DYNAMIC_DISPATCH(multiply_and_add)(rounds, &kept);
        if (n == 0) operations = done;
      }
      keep(kept);
    });
  });
  return operations * threads() / seconds;
}

double copy_seconds(std::int64_t bytes) {
  const Tensor from = ones({bytes}, {.dtype = DType::uint8});
  const Tensor to = ones({bytes}, {.dtype = DType::uint8});
  std::byte* t = static_cast<std::byte*>(to.raw_data());
  const std::byte* f = static_cast<const std::byte*>(from.raw_data());
  const int calls = std::max(1, static_cast<int>((1 << 20) / std::max<std::int64_t>(bytes, 1)));
  const auto time = [&](auto copy) {
    return best_seconds(8, calls, [&] { parallel_for(bytes, 64 << 10, copy); });
  };
  return std::min(time([&](std::int64_t first, std::int64_t last) {
                    cpu::stream(t + first, f + first, last - first);
                    cpu::stream_fence();
                  }),
                  time([&](std::int64_t first, std::int64_t last) {
                    std::memcpy(t + first, f + first, static_cast<std::size_t>(last - first));
                  }));
}

}  // namespace napkin::accounting
#endif
