// Sums: shapes and exact values against PyTorch's (reference/elementwise.py), rounding against
// FP64, the order of additions against a plain program of it.
#include "common/tensor/operations/reduce.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::difference;

TEST(Sum, ShapesAndExactValuesArePyTorchs) {
  const recorded::Verdict verdict = recorded::compare(
      "elementwise", {{"sum", [](const recorded::Case& c) {
                         return sum(c.tensor(0), c.get<Dims>(1), c.number(2).to_bool());
                       }}});
  EXPECT_EQ(verdict.wrong, std::vector<std::string>());
  EXPECT_GT(verdict.checked, 2000);
}

// The order as rules/reduce.h describes it.
float fold(std::vector<float> x) {
  while (x.size() > 1) {
    const std::size_t half = std::bit_ceil(x.size()) / 2;
    for (std::size_t i = half; i < x.size(); ++i) x[i - half] += x[i];
    x.resize(half);
  }
  return x[0];
}

float sum_plainly(const std::vector<float>& x) {
  std::vector<float> blocks;
  for (std::size_t first = 0; first < x.size(); first += 1024) {
    std::vector<float> lanes;
    for (std::size_t i = first; i < std::min(x.size(), first + 1024); ++i)
      if (i - first < 32)
        lanes.push_back(x[i]);
      else
        lanes[(i - first) % 32] += x[i];
    blocks.push_back(fold(lanes));
  }
  return fold(blocks);
}

TEST(Sum, TheOrderOfAdditionsIsTheOneDescribed) {
  Generator g(3);
  for (const std::int64_t n : {1, 2, 3, 31, 32, 33, 100, 1023, 1024, 1025, 3000, 70000}) {
    const Tensor x = randn({n, 3}, {}, g);
    for (int column = 0; column < 3; ++column) {
      const float want = sum_plainly(x.select(1, column).to_vector<float>());
      EXPECT_EQ(sum(x.select(1, column)).item().to_double(), want) << n;       // strided
      EXPECT_EQ(sum(x, {0}).at({column}).to_double(), want) << n;              // down columns
      EXPECT_EQ(sum(x.t().contiguous(), {1}).at({column}).to_double(), want);  // along rows
    }
  }
}

TEST(Sum, TheSameBitsAtAnyLevelAndNumberOfThreads) {
  const int before = threads();
  Generator g(4);
  const Tensor x = randn({67, 41, 129}, {}, g);
  const Tensor views[] = {x, x.permute({2, 0, 1}), x.slice(2, 1, 100, 3), x.to(DType::bf16),
                          x.to(DType::fp64)};
  const Dims over[] = {{}, {0}, {1}, {2}, {0, 2}, {1, 2}};
  for (const Tensor& view : views)
    for (const Dims& dims : over) {
      set_threads(1);
      const Tensor want = sum(view, dims);
      for (const std::string& level : cpu::levels())
        for (const int team : {1, 2, 8}) {
          const cpu::ForcedLevel forced(level);
          set_threads(team);
          EXPECT_EQ(difference(sum(view, dims), want), "")
              << level << ", " << team << " threads, over " << to_string(dims);
        }
    }
  set_threads(before);
}

// The bound that reduce.h states, with the exact sum worked out in FP64.
TEST(Sum, RoundingStaysWithinTheBound) {
  Generator g(5);
  for (const std::int64_t n : {100, 1000, 100000, 3000000})
    for (const bool positive : {false, true}) {
      const Tensor x = positive ? rand({n}, {}, g) : randn({n}, {}, g);
      double exact = 0, magnitudes = 0;
      for (const float v : x.to_vector<float>()) {
        exact += static_cast<double>(v);
        magnitudes += std::abs(static_cast<double>(v));
      }
      const double steps = 32 + 5 + std::ceil(std::log2(static_cast<double>(n) / 1024 + 1));
      EXPECT_LE(std::abs(sum(x).item().to_double() - exact), steps * 0x1p-24 * magnitudes) << n;
    }
}

// Trap: a sum that runs in the narrow type gets stuck (256, 2048, 4.0).
TEST(Sum, NarrowTypesAreAddedUpInFp32) {
  const auto of_ones = [](std::int64_t n, DType dtype) {
    return sum(ones({n}, {.dtype = dtype})).item().to_double();
  };
  EXPECT_EQ(of_ones(512, DType::bf16), 512);
  EXPECT_EQ(of_ones(4096, DType::fp16), 4096);
  const Tensor cents = full({10000}, 0.01, {.dtype = DType::bf16});  // 0.010009766 each
  EXPECT_EQ(sum(cents).item().to_double(), 100);                     // 100.09766 as bf16
  EXPECT_NEAR(sum(cents.to(DType::fp32)).item().to_double(), 100.09766, 1e-4);
  EXPECT_EQ(sum(ones({300}, {.dtype = DType::uint8})).item(), Scalar(300));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(sum(from_data<std::int64_t>({most, 1})).item(), Scalar(-most - 1));
}

TEST(Sum, ObserversAndMeta) {
  struct Recorder : Observer {
    std::vector<OperationEvent> events;
    void on(const OperationEvent& e) override { events.push_back(e); }
  };
  const Tensor x = zeros({10, 20}), meta = zeros({10, 20}, {.device = Device::meta});
  Recorder heard;
  sum(x, {1});
  const Tensor y = sum(meta, {0}, true);
  ASSERT_EQ(heard.events.size(), 2u);
  EXPECT_STREQ(heard.events[0].name, "sum");
  EXPECT_EQ(heard.events[0].flops, 190);
  EXPECT_EQ(heard.events[0].bytes_read, 800);
  EXPECT_EQ(heard.events[0].bytes_written, 40);
  EXPECT_EQ(heard.events[1].flops, 180);
  EXPECT_EQ(y.shape(), (Shape{1, 20}));
  EXPECT_EQ(y.device(), Device::meta);
}

}  // namespace
}  // namespace napkin
