// Elementwise operations against PyTorch's, as recorded by reference/elementwise.py, to the bit, at
// every instruction set that this processor has.
#include "common/tensor/operations/elementwise.h"

#include <gtest/gtest.h>

#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;
using recorded::Operations;

// An operation on two tensors, or a tensor and a number.
template <class Function>
auto of_two(Function f) {
  return [f](const Case& c) -> Tensor {
    return c.is<Tensor>(1) ? f(c.tensor(0), c.tensor(1)) : f(c.tensor(0), c.number(1));
  };
}

// Every recorded case of the operations, at every instruction set; returns how many there were.
int expect_recorded(const Operations& operations) {
  int checked = 0;
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const recorded::Verdict verdict = recorded::compare("elementwise", operations);
    EXPECT_EQ(verdict.wrong, std::vector<std::string>()) << level;
    checked = verdict.checked;
  }
  return checked;
}

TEST(Elementwise, AdditionIsPyTorchs) {
  EXPECT_GT(
      expect_recorded({{"add", of_two([](const auto& a, const auto& b) { return add(a, b); })},
                       {"add_scaled",
                        [](const Case& c) { return add(c.tensor(0), c.tensor(1), c.number(2)); }}}),
      1000);
}

TEST(Elementwise, SubtractionIsPyTorchs) {
  EXPECT_GT(
      expect_recorded({{"sub", of_two([](const auto& a, const auto& b) { return sub(a, b); })},
                       {"sub_scaled",
                        [](const Case& c) { return sub(c.tensor(0), c.tensor(1), c.number(2)); }}}),
      250);
}

TEST(Elementwise, MultiplicationIsPyTorchs) {
  EXPECT_GT(
      expect_recorded({{"mul", of_two([](const auto& a, const auto& b) { return mul(a, b); })}}),
      200);
}

TEST(Elementwise, DivisionIsPyTorchs) {
  EXPECT_GT(
      expect_recorded({{"div", of_two([](const auto& a, const auto& b) { return div(a, b); })}}),
      200);
}

TEST(Elementwise, NegationAndComparisonArePyTorchs) {
  EXPECT_GT(
      expect_recorded({{"neg", [](const Case& c) { return neg(c.tensor(0)); }},
                       {"eq", of_two([](const auto& a, const auto& b) { return eq(a, b); })}}),
      150);
}

TEST(Elementwise, InPlaceIsPyTorchs) {
  using T = Tensor;
  EXPECT_GT(expect_recorded(
                {{"add_", of_two([](T a, const auto& b) { return a.add_(b); })},
                 {"sub_", of_two([](T a, const auto& b) { return a.sub_(b); })},
                 {"mul_", of_two([](T a, const auto& b) { return a.mul_(b); })},
                 {"div_", of_two([](T a, const auto& b) { return a.div_(b); })},
                 {"add_scaled_",
                  [](const Case& c) { return T(c.tensor(0)).add_(c.tensor(1), c.number(2)); }},
                 {"sub_scaled_",
                  [](const Case& c) { return T(c.tensor(0)).sub_(c.tensor(1), c.number(2)); }}}),
            1400);
}

TEST(Elementwise, LargeTensorsHaveTheSameBitsAtAnyLevelAndNumberOfThreads) {
  const int before = threads();
  Generator g(1);
  const Tensor a = randn({517, 1031}, {}, g), b = randn({1031, 517}, {}, g).t();
  const Tensor c = randn({1031}, {.dtype = DType::bf16}, g);
  set_threads(1);
  const Tensor sum = add(a, b, 0.3), product = mul(b, c), quotient = div(c, b);
  for (const std::string& level : cpu::levels())
    for (const int team : {1, 2, 8}) {
      SCOPED_TRACE(fmt::format("{}, {} threads", level, team));
      const cpu::ForcedLevel forced(level);
      set_threads(team);
      EXPECT_EQ(difference(add(a, b, 0.3), sum), "");
      EXPECT_EQ(difference(mul(b, c), product), "");
      EXPECT_EQ(difference(div(c, b), quotient), "");
    }
  set_threads(before);
}

// A result of 32 MiB and more passes by the caches; here it ends within a cache line.
TEST(Elementwise, StreamedResultsAreTheSame) {
  const std::int64_t n = (std::int64_t{8} << 20) + 5;
  const Tensor x = arange(n, {.dtype = DType::fp32});
  const Tensor y = x * 2;
  const Tensor z = x.slice(0, 3).to(DType::fp64);
  const float* got = y.data<float>();
  const double* copied = z.data<double>();
  for (std::int64_t i = 0; i < n; ++i)
    ASSERT_EQ(got[i], 2 * static_cast<float>(i)) << "element " << i;
  for (std::int64_t i = 0; i < n - 3; ++i)
    ASSERT_EQ(copied[i], static_cast<float>(i + 3)) << "element " << i;
}

TEST(Elementwise, StreamedResultsOfOperandsThatRunAcross) {
  const std::int64_t n = 2912;  // whole lines, a little more than 32 MiB
  const Tensor x = arange(n * n, {.dtype = DType::int32}).view({n, n}).to(DType::fp32);
  const Tensor y = x + x.t();
  const float *got = y.data<float>(), *from = x.data<float>();
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < n; ++c)
      ASSERT_EQ(got[r * n + c], from[r * n + c] + from[c * n + r]) << r << ", " << c;
}

TEST(Elementwise, IntegersWrapAround) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Tensor x = from_data<std::int64_t>({most, -most - 1, 3});
  EXPECT_EQ((x + 1).to_vector<std::int64_t>(), (std::vector<std::int64_t>{-most - 1, -most, 4}));
  EXPECT_EQ((x * 2).to_vector<std::int64_t>(), (std::vector<std::int64_t>{-2, 0, 6}));
  EXPECT_EQ((-x).to_vector<std::int64_t>(), (std::vector<std::int64_t>{-most, -most - 1, -3}));
  const Tensor u = from_data<std::uint16_t>({65535, 1, 2});  // PyTorch has no such arithmetic
  EXPECT_EQ((u + u).to_vector<std::int64_t>(), (std::vector<std::int64_t>{65534, 2, 4}));
  EXPECT_EQ((u - 2).to_vector<std::int64_t>(), (std::vector<std::int64_t>{65533, 65535, 0}));
  EXPECT_EQ((u + u).dtype(), DType::uint16);
}

TEST(Elementwise, ZeroStridesAndSingleElementsBroadcast) {  // trap: 0 against 1 became 1
  const auto shape = [](const Shape& a, const Shape& b) { return (zeros(a) + zeros(b)).shape(); };
  EXPECT_EQ(shape({0, 5}, {1, 5}), (Shape{0, 5}));
  EXPECT_EQ(shape({0}, {1}), (Shape{0}));
  EXPECT_EQ(shape({}, {0, 3}), (Shape{0, 3}));
  EXPECT_THROW(shape({0}, {2}), Error);
}

TEST(Elementwise, EqualComparesShapesAndElements) {
  const Tensor x = arange(6).view({2, 3});
  EXPECT_TRUE(equal(x, x.to(DType::fp32)));
  EXPECT_TRUE(equal(x, x.t().contiguous().t()));
  EXPECT_FALSE(equal(x, x.view({3, 2})));
  EXPECT_FALSE(equal(x, x + eq(x, 5)));
  EXPECT_FALSE(equal(x / 0, x / 0));  // 0/0 is NaN
  EXPECT_TRUE(equal(zeros({0, 3}), zeros({0, 3})));
}

}  // namespace
}  // namespace napkin
