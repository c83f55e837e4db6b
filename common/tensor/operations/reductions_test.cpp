// Means, products, extremes, variances and norms against PyTorch's (reference/reductions.py): the
// same bits where every order of operations gives them, else within the bounds stated here, which
// are held against the exact value, too.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/random/random.h"
#include "common/tensor/reference/reference.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"
#include "common/tensor/testing/within.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Function>
auto over(Function f) {
  return [f](const Case& c) { return f(c.tensor(0), c.get<Dims>(1), c.number(2).to_bool()); };
}

void expect_recorded(const recorded::Operations& operations, int at_least) {
  const recorded::Verdict verdict = recorded::compare("reductions", operations);
  EXPECT_EQ(verdict.wrong, std::vector<std::string>());
  EXPECT_GT(verdict.checked, at_least);
}

TEST(Reductions, ProductsArePyTorchs) {
  expect_recorded({{"prod", over([](const auto&... a) { return prod(a...); })}}, 300);
}

TEST(Reductions, ExtremesArePyTorchs) {
  expect_recorded({{"amax", over([](const auto&... a) { return max(a...); })},
                   {"amin", over([](const auto&... a) { return min(a...); })}},
                  800);
}

TEST(Reductions, PlacesOfExtremesArePyTorchs) {
  expect_recorded({{"argmax",
                    [](const Case& c) {
                      return c.is<Scalar>(1)
                                 ? argmax(c.tensor(0), c.integer(1), c.number(2).to_bool())
                                 : argmax(c.tensor(0));
                    }},
                   {"argmin",
                    [](const Case& c) {
                      return c.is<Scalar>(1)
                                 ? argmin(c.tensor(0), c.integer(1), c.number(2).to_bool())
                                 : argmin(c.tensor(0));
                    }}},
                  780);
}

// All recorded cases of an operation: refused where PyTorch refuses, the same shape and strides,
// and values within so many units in the last place of the dtype.
void expect_near_recorded(const std::string& name, const std::function<Tensor(const Case&)>& f,
                          double ulps, int at_least) {
  int checked = 0;
  for (const Case& c : recorded::cases("reductions", {name})) {
    SCOPED_TRACE(c.text);
    ++checked;
    if (c.refused) {
      EXPECT_THROW(f(c), Error);
      continue;
    }
    const Tensor got = f(c), want = c.results[0].elements.view(c.results[0].shape);
    EXPECT_EQ(beyond(got, want, ulps), "");
    if (got.numel() > 0) {
      EXPECT_TRUE(got.strides() == c.results[0].strides) << to_string(got.strides());
    }
  }
  EXPECT_GT(checked, at_least);
}

TEST(Reductions, MeansAreNearPyTorchs) {
  expect_near_recorded("mean", over([](const auto&... a) { return mean(a...); }), 1, 250);
}

TEST(Reductions, VariancesAreNearPyTorchs) {
  expect_near_recorded(
      "var",
      [](const Case& c) {
        return var(c.tensor(0), c.get<Dims>(1), c.number(2).to_double(), c.number(3).to_bool());
      },
      4, 500);
}

TEST(Reductions, NormsAreNearPyTorchs) {
  expect_near_recorded(
      "norm",
      [](const Case& c) {
        return norm(c.tensor(0), c.number(1).to_double(), c.get<Dims>(2), c.number(3).to_bool());
      },
      4, 900);
}

TEST(Reductions, VarianceAndNormAreExactToTheLastPlace) {
  Generator g(7);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16})
    for (const std::int64_t n : {2, 33, 1000, 5000}) {
      const Tensor x = randn({n, 3}, {}, g).mul_(3).to(dtype);
      for (const std::int64_t column : {0, 2}) {
        const Tensor one = x.select(1, column);
        EXPECT_EQ(beyond(var(one), reference::var(one), 1), "") << n;
        EXPECT_EQ(beyond(var(x, {0}, 0).select(0, column), reference::var(one, {}, 0), 1), "");
        for (const double p : {1.0, 2.0, 3.0, 1.5}) {
          EXPECT_EQ(beyond(norm(one, p), reference::norm(one, p), 1), "") << p;
          EXPECT_EQ(beyond(norm(x, p, {0}).select(0, column), reference::norm(one, p), 1), "");
        }
      }
    }
}

// Trap: sum of x^2 minus n mean^2 loses everything here.
TEST(Reductions, AVarianceFarFromZeroIsRight) {
  const Tensor x = from_data<float>({1e6f, 1e6f + 1, 1e6f + 2});
  EXPECT_EQ(var(x).item(), Scalar(1.0));
  EXPECT_EQ(var(x.to(DType::fp64).add_(1e12)).item(), Scalar(1.0));
  EXPECT_EQ(var(x, {}, 3).item(), Scalar(infinity));
  EXPECT_TRUE(std::isnan(var(x.slice(0, 0, 1)).item().to_double()));
}

// Trap: squares of 1e20 are not FP32 numbers, nor those of 1e-30.
TEST(Reductions, NormsDoNotOverflowOrVanish) {
  EXPECT_EQ(norm(full({100}, 1e20)).item(), Scalar(1e21f));
  EXPECT_EQ(norm(full({100, 2}, 1e-30), 2, {0}).at({1}), Scalar(1e-29f));
  EXPECT_EQ(norm(full({4}, 3e4, {.dtype = DType::fp16})).item(), Scalar(6e4));
}

TEST(Reductions, TheMeanOfNarrowTypesIsRoundedOnce) {
  EXPECT_EQ(mean(full({10000}, 0.01, {.dtype = DType::bf16})).item(), Scalar(0.010009765625));
  EXPECT_EQ(mean(full({4096, 3}, 60000, {.dtype = DType::fp16}), {0}).at({1}), Scalar(60000.0));
}

TEST(Reductions, TheFirstOfEqualElementsIsFoundWhereverBlocksEnd) {
  for (const std::int64_t n : {1, 5, 64, 1023, 1024, 1025, 5000})
    for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::int64, DType::uint8}) {
      for (const std::int64_t first : {std::int64_t{0}, n / 3, n / 2, n - 1}) {
        Tensor x = full({n, 3}, 2, {.dtype = dtype});
        x.slice(0, first).fill_(5);
        x.select(0, n - 1).fill_(5);
        EXPECT_EQ(argmax(x, 0).at({1}), Scalar(first)) << n;
        EXPECT_EQ(argmax(x.select(1, 1).contiguous()).item(), Scalar(first)) << n;
        EXPECT_EQ(argmin(x, 0).at({2}), Scalar(std::int64_t{0})) << n;
        EXPECT_EQ(argmax(x).item(), Scalar(3 * first));
        EXPECT_EQ(argmax(x.t()).item(), Scalar(first));
      }
    }
}

TEST(Reductions, NaNIsTheLargestAndTheSmallest) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Tensor x = zeros({3000, 2});
  x.select(0, 2100).fill_(infinity);
  x.slice(0, 1500, 1502).fill_(nan);
  for (const Tensor& y : {x, x.t().contiguous().t()}) {
    EXPECT_EQ(argmax(y, 0).at({1}), Scalar(1500));
    EXPECT_EQ(argmin(y, 0).at({0}), Scalar(1500));
    EXPECT_TRUE(std::isnan(max(y, {0}).at({1}).to_double()));
    EXPECT_TRUE(std::isnan(min(y).item().to_double()));
  }
}

struct Named {
  std::string name;
  std::function<Tensor(const Tensor&, const Dims&)> of;
};
const std::vector<Named>& floating_reductions() {
  static const std::vector<Named> all = {
      {"mean", [](const Tensor& x, const Dims& d) { return mean(x, d); }},
      {"prod", [](const Tensor& x, const Dims& d) { return prod(x, d); }},
      {"max", [](const Tensor& x, const Dims& d) { return max(x, d); }},
      {"min", [](const Tensor& x, const Dims& d) { return min(x, d); }},
      {"var", [](const Tensor& x, const Dims& d) { return var(x, d); }},
      {"norm", [](const Tensor& x, const Dims& d) { return norm(x, 2, d); }},
      {"norm 3", [](const Tensor& x, const Dims& d) { return norm(x, 3, d); }},
      {"norm inf", [](const Tensor& x, const Dims& d) { return norm(x, infinity, d); }},
      {"argmax", [](const Tensor& x, const Dims& d) { return argmax(x, int(d[0])); }},
      {"argmin", [](const Tensor& x, const Dims& d) { return argmin(x, int(d[0])); }}};
  return all;
}

TEST(Reductions, TheSameBitsAtAnyLevelAndNumberOfThreads) {
  const int before = threads();
  Generator g(4);
  const Tensor x = randn({7, 41, 329}, {}, g);
  for (const Named& reduction : floating_reductions())
    for (const Tensor& view :
         {x, x.permute({2, 0, 1}), x.slice(2, 1, 300, 3), x.to(DType::bf16), x.to(DType::fp64)})
      for (const Dims& dims : {Dims{0}, Dims{1}, Dims{2}, Dims{0, 2}, Dims{1, 2}}) {
        set_threads(1);
        const Tensor want = reduction.of(view, dims);
        for (const std::string& level : cpu::levels())
          for (const int team : {1, 2, 8}) {
            const cpu::ForcedLevel forced(level);
            set_threads(team);
            ASSERT_EQ(difference(reduction.of(view, dims), want), "")
                << reduction.name << " " << level << ", " << team << " threads over " << dims[0];
          }
      }
  set_threads(before);
}

TEST(Reductions, RefusalsSayWhy) {
  const Tensor none = zeros({0, 3}), words = zeros({3}, {.dtype = DType::boolean});
  expect_refused([&] { max(none); }, {"max of no elements", "dimension 0 of [0, 3] has size 0"});
  expect_refused([&] { argmin(none, 0); }, {"argmin of no elements", "[0, 3]"});
  expect_refused([&] { norm(none, infinity); }, {"norm of no elements"});
  expect_refused([&] { mean(zeros({3}, {.dtype = DType::int64})); },
                 {"mean of int64 elements on cpu is not defined", "fp32"});
  expect_refused([&] { argmax(words); }, {"argmax of bool"});
  expect_refused([&] { prod(none, {1, -1}); }, {"prod over [1, -1]", "named twice"});
  EXPECT_EQ(max(none, {1}).shape(), (Shape{0}));
}

TEST(Reductions, ObserversAndMeta) {
  struct Recorder : Observer {
    std::vector<OperationEvent> events;
    void on(const OperationEvent& e) override { events.push_back(e); }
  };
  const Tensor x = zeros({10, 20}), meta = zeros({10, 20}, {.device = Device::meta});
  for (const Named& reduction : floating_reductions()) {
    Recorder heard;
    const Tensor want = reduction.of(x, {1}), got = reduction.of(meta, {1});
    EXPECT_EQ(got.device(), Device::meta);
    EXPECT_EQ(got.shape(), want.shape()) << reduction.name;
    EXPECT_EQ(got.dtype(), want.dtype()) << reduction.name;
    ASSERT_EQ(heard.events.size(), 2u);
    EXPECT_EQ(reduction.name.find(heard.events[0].name), 0u);
    EXPECT_EQ(heard.events[0].bytes_read, 800);
    EXPECT_EQ(heard.events[0].bytes_written, want.bytes());
    EXPECT_EQ(heard.events[0].flops, heard.events[1].flops);
  }
  Recorder heard;
  mean(x, {1}), var(x, {1}), norm(x, 2, {1}), max(x, {1});
  ASSERT_EQ(heard.events.size(), 4u);
  EXPECT_EQ(heard.events[0].flops, 200);  // 19 additions and a division for each of 10 rows
  EXPECT_EQ(heard.events[1].flops, 800);
  EXPECT_EQ(heard.events[2].flops, 390);
  EXPECT_EQ(heard.events[3].flops, 0);
}

TEST(Var, ACorrectionIsANumber) {
  EXPECT_THROW(var(ones({3}), {}, std::numeric_limits<double>::quiet_NaN()), Error);
}

}  // namespace
}  // namespace napkin
