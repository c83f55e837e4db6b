// Elementwise operations against PyTorch's, as recorded by reference/elementwise.py, to the bit, at
// every instruction set that this processor has.
#include "common/tensor/elementwise.h"

#include <gtest/gtest.h>

#include "common/core/parallel.h"
#include "common/tensor/create.h"
#include "common/tensor/testing/elementwise_cases.h"
#include "common/tensor/fast/loops.h"
#include "common/tensor/random.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;
using recorded::elementwise_cases;

void expect_refused(const Case& c) {
  const Tensor before = c.tensor(0).clone();
  EXPECT_THROW(recorded::run(c), Error);
  EXPECT_EQ(difference(c.tensor(0), before), "");  // no partial effect
}

void expect_equal(const Case& c) {
  const Tensor got = recorded::run(c);
  EXPECT_EQ(difference(got, c.elements.view(c.shape)), "");
  // PyTorch gives tensors without elements some strides of 0.
  EXPECT_TRUE(got.numel() == 0 || got.strides() == c.strides) << to_string(got.strides());
}

// Every recorded case of the operations; returns how many there were.
int expect_recorded(const std::vector<std::string>& operations) {
  int checked = 0;
  for (const std::string& level : fast::levels()) {
    const fast::ForcedLevel forced(level);
    checked = 0;
    for (const Case& c : elementwise_cases(operations)) {
      SCOPED_TRACE(level + ": " + c.text);
      ++checked;
      c.refused ? expect_refused(c) : expect_equal(c);
    }
  }
  return checked;
}

TEST(Elementwise, AdditionIsPyTorchs) { EXPECT_GT(expect_recorded({"add", "add_scaled"}), 1000); }
TEST(Elementwise, SubtractionIsPyTorchs) { EXPECT_GT(expect_recorded({"sub", "sub_scaled"}), 250); }
TEST(Elementwise, MultiplicationIsPyTorchs) { EXPECT_GT(expect_recorded({"mul"}), 200); }
TEST(Elementwise, DivisionIsPyTorchs) { EXPECT_GT(expect_recorded({"div"}), 200); }
TEST(Elementwise, NegationAndComparisonArePyTorchs) {
  EXPECT_GT(expect_recorded({"neg", "eq"}), 150);
}
TEST(Elementwise, InPlaceIsPyTorchs) {
  EXPECT_GT(expect_recorded({"add_", "sub_", "mul_", "div_", "add_scaled_", "sub_scaled_"}), 1400);
}

TEST(Elementwise, LargeTensorsHaveTheSameBitsAtAnyLevelAndNumberOfThreads) {
  const int before = threads();
  Generator g(1);
  const Tensor a = randn({517, 1031}, {}, g), b = randn({1031, 517}, {}, g).t();
  const Tensor c = randn({1031}, {.dtype = DType::bf16}, g);
  set_threads(1);
  const Tensor sum = add(a, b, 0.3), product = mul(b, c), quotient = div(c, b);
  for (const std::string& level : fast::levels())
    for (const int team : {1, 2, 8}) {
      SCOPED_TRACE(fmt::format("{}, {} threads", level, team));
      const fast::ForcedLevel forced(level);
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
