// softmax and log_softmax: shapes and refusals of PyTorch (reference/reductions.py), values within
// the bounds that softmax.h states of the exact ones.
#include "common/tensor/operations/softmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

using recorded::difference;

Tensor apply(bool is_log, const Tensor& x, int d) {
  return is_log ? log_softmax(x, d) : softmax(x, d);
}

// Of one line, in long double.
std::vector<long double> exact_log_softmax(const std::vector<double>& x) {
  const long double largest = *std::max_element(x.begin(), x.end());
  long double sum = 0;
  for (const double v : x) sum += std::exp(v - largest);
  std::vector<long double> y;
  for (const double v : x) y.push_back(v - largest - std::log(sum));
  return y;
}

// The first element of a line that is too far from the exact one.
std::string beyond_bound(const std::vector<double>& got, const std::vector<double>& x, bool is_log,
                         DType dtype) {
  const std::vector<long double> log = exact_log_softmax(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto want = static_cast<double>(is_log ? log[i] : std::exp(log[i]));
    if (std::isnan(want) ? std::isnan(got[i]) : got[i] == want) continue;
    const double unit = unit_of(dtype, want);
    const double computed = dtype == DType::fp64 ? 0x1p-53 : 0x1p-24;
    const double bound =
        is_log ? 8 * computed * std::max(1.0, std::abs(want))
               : want * computed * (8 + static_cast<double>(std::abs(log[i]))) + 0x1p-149;
    if (std::abs(got[i] - want) <= bound + (size_of(dtype) == 2 ? unit / 2 : 0)) continue;
    return fmt::format("element {} is {:a}, not {:a}", i, got[i], want);
  }
  return {};
}

void expect_exact(const Tensor& x, int d, bool is_log) {
  const int rank = std::max(1, x.rank());
  const Tensor lines = x.rank() == 0 ? x.view({1}) : x.transpose(d, rank - 1);
  const Tensor y = apply(is_log, x, d);
  const Tensor got = x.rank() == 0 ? y.view({1}) : y.transpose(d, rank - 1);
  const std::int64_t n = lines.size(-1);
  if (x.numel() == 0) return;
  const Tensor from = lines.reshape({-1, n}), to = got.reshape({-1, n});
  for (std::int64_t line = 0; line < from.size(0); ++line)
    ASSERT_EQ(beyond_bound(to[line].to_vector<double>(), from[line].to_vector<double>(), is_log,
                           x.dtype()),
              "")
        << "line " << line;
}

TEST(Softmax, RecordedCasesAreRight) {
  int checked = 0;
  for (const recorded::Case& c : recorded::cases("rows", {"softmax", "log_softmax"})) {
    SCOPED_TRACE(c.text);
    ++checked;
    const bool is_log = c.operation == "log_softmax";
    if (c.refused) {
      EXPECT_THROW(apply(is_log, c.tensor(0), c.integer(1)), Error);
      continue;
    }
    const Tensor got = apply(is_log, c.tensor(0), c.integer(1));
    EXPECT_TRUE(got.strides() == c.results[0].strides);
    // PyTorch's own values are some units off.
    EXPECT_EQ(beyond(got, c.results[0].elements.view(c.results[0].shape), 40, is_log ? 1 : 0), "");
    expect_exact(c.tensor(0), c.integer(1), is_log);
  }
  EXPECT_GT(checked, 500);
}

// Also differences of which e^x is tiny or 0, and lines of several blocks.
TEST(Softmax, ErrorsStayWithinTheBound) {
  Generator g(8);
  for (const double spread : {0.1, 3.0, 40.0})
    for (const std::int64_t n : {1, 2, 31, 100, 1024, 5000}) {
      const Tensor x = randn({n, 3}, {}, g).mul_(spread).add_(spread);
      for (const bool is_log : {false, true}) {
        expect_exact(x, 0, is_log);
        expect_exact(x.t().contiguous(), 1, is_log);
        expect_exact(x.to(DType::bf16), 0, is_log);
        expect_exact(x.to(DType::fp64), 0, is_log);
      }
    }
}

TEST(Softmax, TheSameBitsForAnyLayoutLevelAndNumberOfThreads) {
  const int before = threads();
  Generator g(4);
  const Tensor x = randn({13, 7, 1100}, {}, g);
  for (const bool is_log : {false, true})
    for (const Tensor& like : {x, x.to(DType::bf16), x.to(DType::fp64)})
      for (const int d : {0, 1, 2}) {
        set_threads(1);
        const Tensor want = apply(is_log, like, d);
        const Tensor views[] = {like, like.permute({2, 1, 0}).contiguous().permute({2, 1, 0}),
                                like.permute({1, 0, 2}).contiguous().permute({1, 0, 2}),
                                like.permute({2, 0, 1}).contiguous().permute({1, 2, 0})};
        for (const Tensor& view : views)
          for (const std::string& level : cpu::levels())
            for (const int team : {1, 2, 8}) {
              const cpu::ForcedLevel forced(level);
              set_threads(team);
              ASSERT_EQ(difference(apply(is_log, view, d), want), "")
                  << level << ", " << team << " threads, along " << d;
            }
      }
  set_threads(before);
}

// A result of 32 MiB and more goes past the caches.
TEST(Softmax, LargeResultsAreTheSame) {
  Generator g(4);
  const Tensor x = randn({2100, 4099}, {}, g);
  const Tensor y = softmax(x, 1), l = log_softmax(x, -1);
  for (const std::int64_t row : {std::int64_t{0}, std::int64_t{1023}, std::int64_t{2099}}) {
    EXPECT_EQ(difference(y[row], softmax(x[row], 0)), "");
    EXPECT_EQ(difference(l[row], log_softmax(x[row], 0)), "");
  }
}

TEST(Softmax, RefusalsObserversAndMeta) {
  struct Recorder : Observer {
    std::vector<OperationEvent> events;
    void on(const OperationEvent& e) override { events.push_back(e); }
  };
  expect_refused([] { softmax(zeros({3}, {.dtype = DType::int64}), 0); },
                 {"softmax of int64", "fp32"});
  expect_refused([] { log_softmax(zeros({3, 2}), 2); }, {"dimension 2"});
  const Tensor x = zeros({10, 20}), meta = zeros({10, 20}, {.device = Device::meta});
  Recorder heard;
  softmax(x, 1);
  const Tensor y = log_softmax(meta, 0);
  ASSERT_EQ(heard.events.size(), 2u);
  EXPECT_STREQ(heard.events[0].name, "softmax");
  EXPECT_EQ(heard.events[0].flops, 600);
  EXPECT_EQ(heard.events[0].bytes_read, 800);
  EXPECT_EQ(heard.events[1].bytes_written, 800);
  EXPECT_EQ(y.shape(), x.shape());
  EXPECT_EQ(y.device(), Device::meta);
}

}  // namespace
}  // namespace napkin
