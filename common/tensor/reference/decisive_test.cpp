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
  std::function<Tensor(const Tensor&)> operation, reference;  // along the last dimension
};

const Dims last = {-1};

Pair norm_of(double p) {
  return {fmt::format("norm {}", p), [p](const Tensor& x) { return norm(x, p, last); },
          [p](const Tensor& x) { return ref::norm(x, p, last); }};
}

const std::vector<Pair>& pairs() {
  using T = const Tensor&;
  static const std::vector<Pair> all = {
      {"sum", [](T x) { return sum(x, last); }, [](T x) { return ref::sum(x, last); }},
      {"mean", [](T x) { return mean(x, last); }, [](T x) { return ref::mean(x, last); }},
      {"prod", [](T x) { return prod(x, last); }, [](T x) { return ref::prod(x, last); }},
      {"max", [](T x) { return max(x, last); }, [](T x) { return ref::max(x, last); }},
      {"min", [](T x) { return min(x, last); }, [](T x) { return ref::min(x, last); }},
      {"argmax", [](T x) { return argmax(x, -1); }, [](T x) { return ref::argmax(x, last); }},
      {"argmin", [](T x) { return argmin(x, -1); }, [](T x) { return ref::argmin(x, last); }},
      {"var", [](T x) { return var(x, last); }, [](T x) { return ref::var(x, last); }},
      {"softmax", [](T x) { return softmax(x, -1); }, [](T x) { return ref::softmax(x, -1); }},
      {"log_softmax", [](T x) { return log_softmax(x, -1); },
       [](T x) { return ref::log_softmax(x, -1); }},
      {"cumsum", [](T x) { return cumsum(x, -1); }, [](T x) { return ref::cumsum(x, -1); }},
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
      is("sum") || is("mean") || is("cumsum") ? pair.reference(ref::abs(x)) : ref::abs(want);
  const double roundings = is("prod") || is("cumsum") || is_wide ? 2 * n
                           : is("softmax")                       ? 112  // 8 + |log y|
                                                                 : 64;
  const double u = is_wide ? 0x1p-53 : 0x1p-24;
  return ref::add(ref::mul(size, Scalar(roundings * u)), Scalar(0x1p-149));
}

// Every operation in rows, in columns, in rows with gaps, at every instruction set.
void compare(const Tensor& x) {
  const Tensor gaps = ref::copy(x.unsqueeze(2).expand({-1, -1, 2}), x.dtype()).select(2, 1);
  const Tensor views[] = {x, ref::copy(x.t(), x.dtype()).t(), gaps};
  struct Expected {
    Tensor want, allowed;
  };
  std::vector<Expected> expected;
  for (const Pair& pair : pairs()) {
    const Tensor want = pair.reference(x);
    expected.push_back({want, bound(pair, want, x)});
  }
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (std::size_t k = 0; k < expected.size(); ++k)
      for (const Tensor& view : views) {
        const auto& [want, allowed] = expected[k];
        ASSERT_EQ(beyond_bound(pairs()[k].operation(view), want, allowed), "")
            << pairs()[k].name << " of " << name(x.dtype()) << " at level " << level << ", rows of "
            << x.size(1) << ", strides " << to_string(view.strides());
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
  for (std::int64_t length = 1; length <= 65; ++length) compare_all({length - 1}, length);
}

TEST(Decisive, AroundTheEdgeOfABlock) {
  for (const std::int64_t place : {reduce_block - 1, reduce_block, reduce_block + 1})
    compare_all({place}, place + 1);
  compare_all({reduce_block - 1, reduce_block, reduce_block + 1}, reduce_block + 40);
}

}  // namespace
}  // namespace napkin
