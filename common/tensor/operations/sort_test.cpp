// sort and topk against PyTorch (reference/indexing.py) and against a plain stable sort; keys
// against the numbers they stand for.
#include "common/tensor/operations/sort.h"
#include "common/tensor/operations/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/numeric/order_key.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;

recorded::Results pair_of(const Sorted& s) { return std::vector{s.values, s.indices}; }

const recorded::Operations operations_here = {
    {"sort",
     [](const Case& c) { return pair_of(sort(c.tensor(0), c.integer(1), c.number(2).to_bool())); }},
    {"topk",
     [](const Case& c) {
       return pair_of(topk(c.tensor(0), c.integer(1), c.integer(2), c.number(3).to_bool()));
     }},
};

TEST(Sort, ResultsAndRefusalsArePyTorchs) {
  const recorded::Verdict verdict = recorded::compare("ordering", operations_here);
  for (const std::string& line : verdict.wrong) ADD_FAILURE() << line;
  EXPECT_GT(verdict.checked, 800);
}

// The order as sort.h describes it, without keys.
bool before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

template <class T>
std::vector<std::int64_t> sorted_plainly(const std::vector<T>& x, bool descending) {
  std::vector<std::int64_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const auto p = static_cast<double>(x[static_cast<std::size_t>(a)]);
    const auto q = static_cast<double>(x[static_cast<std::size_t>(b)]);
    return descending ? before(q, p) : before(p, q);
  });
  return order;
}

// Numbers with ties, both zeros, infinities and NaN.
Tensor numbers(std::int64_t count, DType dtype, Generator& g) {
  Tensor x = randn({count}, {}, g);
  x.slice(0, 0, count, 7).fill_(0.0);
  x.slice(0, 3, count, 11).fill_(-0.0);
  x.slice(0, 2, count, 13)
      .copy_(x.slice(0, 1, count, 13).slice(0, 0, x.slice(0, 2, count, 13).numel()));
  if (count > 40) {
    x.slice(0, 5, count, 31).fill_(std::nan(""));
    x.slice(0, 6, count, 37).fill_(-HUGE_VAL);
    x.slice(0, 7, count, 39).fill_(HUGE_VAL);
  }
  x.mul_(Scalar(50));
  return x.to(dtype);
}

TEST(Sort, OrderAndTiesAreThoseOfAStableSort) {
  Generator g(6);
  for (const DType dtype : all_dtypes)
    for (const std::int64_t count : {1, 2, 63, 64, 65, 256, 257, 1000, 70001}) {
      if (!is_defined(Op::sort, dtype, Device::cpu)) continue;
      const Tensor x = numbers(count, dtype, g);
      for (const bool descending : {false, true})
        visit(dtype, [&](auto tag) {
          using T = typename decltype(tag)::Type;
          const std::vector<T> elements = x.to_vector<T>();
          const std::vector<std::int64_t> order = sorted_plainly(elements, descending);
          const Sorted s = sort(x, 0, descending);
          ASSERT_EQ(s.indices.to_vector<std::int64_t>(), order) << name(dtype) << " " << count;
          ASSERT_EQ(difference(s.values, index_select(x, 0, s.indices)), "");
          if (dtype == DType::boolean) return;
          for (const std::int64_t k : {1L, 2L, 50L, count / 9, count / 8, count / 2, count}) {
            if (k > count) continue;
            const Sorted top = topk(x, k, 0, descending);
            ASSERT_EQ(difference(top.indices, s.indices.slice(0, 0, k)), "")
                << name(dtype) << " " << count << " " << k;
            ASSERT_EQ(difference(top.values, s.values.slice(0, 0, k)), "");
          }
        });
    }
}

TEST(Sort, KeysAreInTheOrderOfTheNumbers) {
  const auto in_order = [](auto previous, auto next) {
    return std::isnan(static_cast<double>(next)) ? order_key(previous) <= order_key(next)
                                                 : order_key(previous) < order_key(next);
  };
  for (std::uint32_t code = 0; code < 0xffff; ++code) {  // every fp16 and bf16 code
    const auto a = static_cast<std::uint16_t>(code);
    for (std::uint32_t step : {1u, 7u, 4099u}) {
      const auto b = static_cast<std::uint16_t>(code + step);
      const auto check_codes = [&](auto x, auto y) {
        const auto p = static_cast<double>(x), q = static_cast<double>(y);
        ASSERT_EQ(order_key(x) < order_key(y), before(p, q)) << p << " " << q;
        ASSERT_EQ(order_key(static_cast<float>(x)) < order_key(static_cast<float>(y)),
                  before(p, q));
        ASSERT_EQ(order_key(p) < order_key(q), before(p, q));
      };
      check_codes(Float16::from_bits(a), Float16::from_bits(b));
      check_codes(BFloat16::from_bits(a), BFloat16::from_bits(b));
    }
  }
  EXPECT_TRUE(in_order(std::int64_t{-1} << 62, std::int64_t{-1}));
  EXPECT_TRUE(in_order(std::int64_t{-1}, std::int64_t{0}));
  EXPECT_TRUE(in_order(std::int32_t{-7}, std::int32_t{6}));
  EXPECT_TRUE(in_order(-HUGE_VAL, -1e308));
  EXPECT_TRUE(in_order(HUGE_VAL, std::nan("")));
}

TEST(Sort, TheLectureTrapTwoOfThreeEqualLogits) {
  const Sorted top = topk(from_data<float>({5, 5, 5, 1}), 2);
  EXPECT_EQ(top.indices.to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(top.values.to_vector<float>(), (std::vector<float>{5, 5}));
}

TEST(Sort, EveryOrderOfArrivalGivesTheTopK) {
  const Tensor up = arange(5000).to(DType::fp32), down = up.clone().mul_(Scalar(-1));
  for (const bool largest : {true, false})
    for (const Tensor& x : {up, down}) {
      const Sorted all = sort(x, 0, largest), top = topk(x, 33, 0, largest);
      EXPECT_EQ(difference(top.values, all.values.slice(0, 0, 33)), "");
      EXPECT_EQ(difference(top.indices, all.indices.slice(0, 0, 33)), "");
    }
  const Sorted equal_ones = topk(ones({5000}), 300);
  EXPECT_EQ(difference(equal_ones.indices, arange(300)), "");
}

TEST(Sort, TheSameAtAnyLevelAndNumberOfThreads) {
  const int threads_before = threads();
  Generator g(7);
  const Tensor x = randn({200'000}, {}, g), lines = x.view({20, 10'000});
  set_threads(1);
  const Sorted whole = sort(x), each = sort(lines, 0), top = topk(lines, 12);
  for (const std::string& level : cpu::levels())
    for (const int count : {1, 2, 8}) {
      const cpu::ForcedLevel forced(level);
      set_threads(count);
      EXPECT_EQ(difference(sort(x).indices, whole.indices), "");
      EXPECT_EQ(difference(sort(lines, 0).indices, each.indices), "");
      EXPECT_EQ(difference(topk(lines, 12).indices, top.indices), "");
    }
  set_threads(threads_before);
}

TEST(Sort, RefusalsNameBothNumbers) {
  const Tensor x = zeros({2, 3});
  expect_refused([&] { topk(x, 4); }, {"k is 4", "3 elements"});
  expect_refused([&] { topk(x, -1, 0); }, {"k is -1", "2 elements"});
  expect_refused([&] { topk(x.to(DType::boolean), 1); }, {"topk of bool", "fp32"});
  expect_refused([&] { sort(Tensor()); }, {"undefined"});
}

TEST(Sort, ShapesOnMetaAreThoseOnTheCpu) {
  const Tensor x = zeros({4, 5}).t();
  const Sorted got = sort(x.to(Device::meta), 0), want = sort(x, 0);
  const Sorted got_top = topk(x.to(Device::meta), 2, 0), want_top = topk(x, 2, 0);
  for (const auto& [a, b] : {std::pair{got.values, want.values},
                             {got.indices, want.indices},
                             {got_top.values, want_top.values},
                             {got_top.indices, want_top.indices}}) {
    EXPECT_EQ(a.shape(), b.shape());
    EXPECT_EQ(a.strides(), b.strides());
    EXPECT_EQ(a.dtype(), b.dtype());
  }
}

TEST(Sort, ObserversHearOfElementsAndResults) {
  struct Last : Observer {
    OperationEvent event{};
    void on(const OperationEvent& e) override { event = e; }
  } last;
  const Tensor x = zeros({10, 100});
  topk(x, 3);
  EXPECT_STREQ(last.event.name, "topk");
  EXPECT_EQ(last.event.bytes_read, 4000);
  EXPECT_EQ(last.event.bytes_written, 30 * (4 + 8));
  sort(x, 0);
  EXPECT_STREQ(last.event.name, "sort");
  EXPECT_EQ(last.event.bytes_written, 1000 * (4 + 8));
}

}  // namespace
}  // namespace napkin
