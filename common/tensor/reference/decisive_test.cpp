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

// Each element within 2^-24 (or 2^-53) x 64 x what is added up; places and extremes exactly.
std::string wrong(const Pair& pair, const Tensor& got, const Tensor& want, const Tensor& x) {
  if (!is_floating(got.dtype())) return recorded::difference(got, want);
  const double u = x.dtype() == DType::fp64 ? 0x1p-53 : 0x1p-24;
  const bool adds = pair.name == "sum" || pair.name == "mean" || pair.name == "cumsum";
  const Tensor size =
      adds ? pair.reference(ref::abs(x)) : ref::maximum(ref::abs(want), Scalar(0.0));
  const bool is_exact = pair.name == "max" || pair.name == "min";
  const double roundings =
      is_exact ? 0
      : pair.name == "prod" || pair.name == "cumsum" || x.dtype() == DType::fp64
          ? 2.0 * static_cast<double>(x.size(-1))
      : pair.name == "softmax" ? 1100  // 8 + |log y|
                               : 64;
  return beyond_bound(got, want, ref::add(ref::mul(size, Scalar(roundings * u)), Scalar(0x1p-149)));
}

// In rows, in columns, in rows with gaps, at every instruction set.
void compare(const Pair& pair, const Tensor& x) {
  const Tensor want = pair.reference(x);
  const Tensor gaps = ref::copy(x.unsqueeze(2).expand({-1, -1, 2}), x.dtype()).select(2, 1);
  for (const std::string& level : cpu::levels())
    for (const Tensor& view : {x, ref::copy(x.t(), x.dtype()).t(), gaps}) {
      const cpu::ForcedLevel forced(level);
      ASSERT_EQ(wrong(pair, pair.operation(view), want, x), "")
          << pair.name << " of " << name(x.dtype()) << " at level " << level << ", rows of "
          << x.size(1) << ", strides " << to_string(view.strides());
    }
}

constexpr double decisive[] = {1000, -1000, std::numeric_limits<double>::quiet_NaN()};
constexpr DType dtypes[] = {DType::fp32, DType::bf16, DType::fp16, DType::fp64};

TEST(Decisive, AtEveryPlaceOfAShortRow) {
  std::vector<std::int64_t> places;
  for (std::int64_t p = 0; p < 64; ++p) places.push_back(p);
  for (const double number : decisive)
    for (const DType dtype : dtypes)
      for (const Pair& pair : pairs())
        ASSERT_NO_FATAL_FAILURE(compare(pair, ref::copy(rows(places, 70, number), dtype)));
}

TEST(Decisive, AsTheLastOneOfARowOfAnyLength) {
  for (const double number : decisive)
    for (const DType dtype : dtypes)
      for (const Pair& pair : pairs())
        for (std::int64_t length = 1; length <= 65; ++length)
          ASSERT_NO_FATAL_FAILURE(
              compare(pair, ref::copy(rows({length - 1}, length, number), dtype)));
}

TEST(Decisive, AroundTheEdgeOfABlock) {
  for (const double number : decisive)
    for (const DType dtype : {DType::fp32, DType::bf16})
      for (const Pair& pair : pairs())
        for (const std::int64_t place : {reduce_block - 1, reduce_block, reduce_block + 1})
          for (const std::int64_t after : {0, 2})
            ASSERT_NO_FATAL_FAILURE(
                compare(pair, ref::copy(rows({place, 0, 33}, place + 1 + after, number), dtype)));
}

}  // namespace
}  // namespace napkin
