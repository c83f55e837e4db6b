// Rows in which one element decides: 1000 or -1000 among small numbers, NaN. It stands at every
// place from 0 to 63, around the edge of a reduction's block, and last: an element that a loop
// forgets shows here, and hardly anywhere else.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/reference/reference.h"
#include "common/tensor/rules/reduce.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/samples.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

namespace ref = reference;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Pair {
  std::string name;
  std::function<Tensor(const Tensor&, int)> operation, reference;  // along that dimension
};

Pair norm_of(double p) {
  return {fmt::format("norm {}", p), [p](const Tensor& x, int d) { return norm(x, p, {d}); },
          [p](const Tensor& x, int d) { return ref::norm(x, p, {d}); }};
}

const std::vector<Pair>& pairs() {
  using T = const Tensor&;
  static const std::vector<Pair> all = {
      {"sum", [](T x, int d) { return sum(x, {d}); }, [](T x, int d) { return ref::sum(x, {d}); }},
      {"mean", [](T x, int d) { return mean(x, {d}); },
       [](T x, int d) { return ref::mean(x, {d}); }},
      {"prod", [](T x, int d) { return prod(x, {d}); },
       [](T x, int d) { return ref::prod(x, {d}); }},
      {"max", [](T x, int d) { return max(x, {d}); }, [](T x, int d) { return ref::max(x, {d}); }},
      {"min", [](T x, int d) { return min(x, {d}); }, [](T x, int d) { return ref::min(x, {d}); }},
      {"argmax", [](T x, int d) { return argmax(x, d); },
       [](T x, int d) { return ref::argmax(x, {d}); }},
      {"argmin", [](T x, int d) { return argmin(x, d); },
       [](T x, int d) { return ref::argmin(x, {d}); }},
      {"var", [](T x, int d) { return var(x, {d}); }, [](T x, int d) { return ref::var(x, {d}); }},
      {"softmax", softmax, ref::softmax},
      {"log_softmax", log_softmax, ref::log_softmax},
      {"cumsum", cumsum, ref::cumsum},
      norm_of(0),
      norm_of(1),
      norm_of(2),
      norm_of(3),
      norm_of(infinity),
      norm_of(-infinity)};
  return all;
}

// Numbers between 0.75 and 1.25, so that products stay numbers; in row r, `decisive` at places[r].
Tensor rows(const std::vector<std::int64_t>& places, std::int64_t length, double decisive) {
  const Shape shape = {std::ssize(places), length};
  const Tensor x = ref::add(samples::numbers(shape, DType::fp32, Device::cpu, 1), Scalar(1.0));
  const Tensor half = ref::mul(x, Scalar(0.5));
  for (std::size_t r = 0; r < places.size(); ++r)
    half[static_cast<std::int64_t>(r)].data<float>()[places[r]] = static_cast<float>(decisive);
  return half;
}

// How far from the reference: some roundings of what is added up; places and extremes not at all.
Tensor bound(const Pair& pair, const Tensor& want, const Tensor& x) {
  const bool is_wide = x.dtype() == DType::fp64;
  const auto n = static_cast<double>(x.size(-1));
  const auto is = [&](const char* name) { return pair.name == name; };
  if (is("max") || is("min") || is("argmax") || is("argmin"))
    return ref::fill(want.shape(), 0.0, DType::fp64);
  const Tensor size =
      is("sum") || is("mean") || is("cumsum") ? pair.reference(ref::abs(x), 1) : ref::abs(want);
  const double roundings = is("prod") || is("cumsum") || is_wide ? 2 * n
                           : is("softmax")                       ? 112  // 8 + |log y|
                                                                 : 64;
  const double u = is_wide ? 0x1p-53 : 0x1p-24;
  return ref::add(ref::mul(size, Scalar(roundings * u)), Scalar(0x1p-149));
}

// Every operation at every instruction set along rows and down columns, which have loops of their
// own, each of them unbroken in memory, across it, or with gaps.
void compare(const Tensor& x) {
  const auto with_gaps = [](const Tensor& t) {
    return ref::copy(t.unsqueeze(2).expand({-1, -1, 2}), t.dtype()).select(2, 1);
  };
  const Tensor turned = ref::copy(x.t(), x.dtype());
  const std::pair<Tensor, int> views[] = {{x, 1},      {turned.t(), 1}, {with_gaps(x), 1},
                                          {turned, 0}, {x.t(), 0},      {with_gaps(turned), 0}};
  struct Expected {
    Tensor want, allowed;
  };
  std::vector<Expected> expected;
  for (const Pair& pair : pairs()) {
    const Tensor want = pair.reference(x, 1);
    expected.push_back({want, bound(pair, want, x)});
  }
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (std::size_t k = 0; k < expected.size(); ++k)
      for (const auto& [view, d] : views) {
        const auto& [want, allowed] = expected[k];
        const Tensor y = pairs()[k].operation(view, d), got = d == 0 ? y.t() : y;
        ASSERT_EQ(beyond_bound(got, want, allowed), "")
            << pairs()[k].name << " of " << name(x.dtype()) << " at level " << level << ", along "
            << d << " of " << to_string(view.shape()) << ", strides " << to_string(view.strides());
      }
  }
}

constexpr double decisive[] = {1000, -1000, std::numeric_limits<double>::quiet_NaN()};
constexpr DType dtypes[] = {DType::fp32, DType::bf16, DType::fp64};

void compare_all(const std::vector<std::int64_t>& places, std::int64_t length) {
  for (const double number : decisive)
    for (const DType dtype : dtypes)
      ASSERT_NO_FATAL_FAILURE(compare(ref::copy(rows(places, length, number), dtype)));
}

TEST(Decisive, AtEveryPlaceOfAShortRow) {
  std::vector<std::int64_t> places;
  for (std::int64_t p = 0; p < 64; ++p) places.push_back(p);
  compare_all(places, 67);
}

TEST(Decisive, AsTheLastOneOfARowOfAnyLength) {
  for (std::int64_t length = 1; length <= 65; ++length) compare_all({length - 1, 0}, length);
}

TEST(Decisive, AroundTheEdgeOfABlock) {
  for (const std::int64_t place : {reduce_block - 1, reduce_block, reduce_block + 1})
    compare_all({place, 31}, place + 1);
  compare_all({reduce_block - 1, reduce_block, reduce_block + 1}, reduce_block + 40);
}

}  // namespace
}  // namespace napkin
