// Picking and adding by position: against PyTorch (reference/indexing.py), against a plain program
// of the order of additions, at any number of threads and any instruction set.
#include "common/tensor/operations/index.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;

Tensor add_in_place(const Case& c) {
  Tensor x = c.tensor(0);
  const bool scatter = c.operation == "scatter_add_";
  return (scatter ? scatter_add_ : index_add_)(x, c.integer(1), c.tensor(2), c.tensor(3),
                                               Order::fixed);
}

const recorded::Operations operations_here = {
    {"index_select",
     [](const Case& c) { return index_select(c.tensor(0), c.integer(1), c.tensor(2)); }},
    {"gather", [](const Case& c) { return gather(c.tensor(0), c.integer(1), c.tensor(2)); }},
    {"scatter_add",
     [](const Case& c) {
       return scatter_add(c.tensor(0), c.integer(1), c.tensor(2), c.tensor(3));
     }},
    {"index_add",
     [](const Case& c) { return index_add(c.tensor(0), c.integer(1), c.tensor(2), c.tensor(3)); }},
    {"scatter_add_", add_in_place},
    {"index_add_", add_in_place},
};

TEST(Index, ResultsAndRefusalsArePyTorchs) {
  const recorded::Verdict verdict = recorded::compare("indexing", operations_here);
  for (const std::string& line : verdict.wrong) ADD_FAILURE() << line;
  EXPECT_GT(verdict.checked, 1000);
}

// index_add of (terms, columns) onto (rows, columns) along dimension 0, in the order of index.h.
Tensor index_add_plainly(const Tensor& x, const Tensor& index, const Tensor& source) {
  constexpr std::int64_t stretch = 1024;
  Tensor result = x.clone(), sums = zeros(x.shape());
  const std::vector<std::int64_t> numbers = index.to_vector<std::int64_t>();
  const auto count = static_cast<std::int64_t>(numbers.size());
  for (std::int64_t n = 0; n < count; ++n) {
    Tensor row = (n < stretch ? result : sums)[numbers[static_cast<std::size_t>(n)]];
    row.add_(source[n]);
    if (n < stretch || (n % stretch != stretch - 1 && n != count - 1)) continue;
    result.add_(sums);  // adds 0 where nothing came
    sums.zero_();
  }
  return result;
}

// Numbers of rows, small ones far more often.
Tensor skewed(std::int64_t count, std::int64_t rows, Generator& g) {
  const Tensor draws = rand({count}, {}, g);
  std::vector<std::int64_t> numbers;
  for (const float u : draws.to_vector<float>())
    numbers.push_back(static_cast<std::int64_t>(u * u * u * static_cast<float>(rows)));
  return from_data(numbers, {count});
}

TEST(Index, AdditionsHaveTheOrderDescribed) {
  Generator g(5);
  for (const std::int64_t columns : {1, 3, 8, 65, 130})
    for (const auto& [rows, terms] :
         {std::pair{4, 1024}, {1, 1025}, {3, 2500}, {50, 4096}, {3000, 2100}}) {
      const Tensor x = randn({rows, columns}, {}, g), source = randn({terms, columns}, {}, g);
      const Tensor index = skewed(terms, rows, g);
      const Tensor want = index_add_plainly(x, index, source);
      EXPECT_EQ(difference(index_add(x, 0, index, source), want), "");
      const Tensor across = index.unsqueeze(1).expand({terms, columns});
      EXPECT_EQ(difference(scatter_add(x, 0, across, source), want), "");
      EXPECT_EQ(difference(scatter_add(x, 0, across.contiguous(), source), want), "");
      // Views: the same additions wherever the elements stand.
      const Tensor turned = source.t().contiguous().t(),
                   wide = source.unsqueeze(2).expand({-1, -1, 2});
      EXPECT_EQ(difference(index_add(x, 0, index, turned), want), "");
      EXPECT_EQ(difference(index_add(x, 0, index, wide.contiguous().select(2, 1)), want), "");
      EXPECT_EQ(difference(index_add(x.t(), 1, index, source.t()), want.t()), "");
      EXPECT_EQ(difference(index_add(x.t(), 1, index.to(DType::int32), turned.t()), want.t()), "");
      Tensor twice = zeros({rows, 2, columns});
      twice.select(1, 1).copy_(x);
      Tensor part = twice.select(1, 1);
      index_add_(part, 0, index, source);
      EXPECT_EQ(difference(part, want), "");
    }
}

struct Terms {
  Tensor x, index, source;
};

// Rows, columns and terms that take every way there is on the CPU.
std::vector<Terms> terms_of_every_kind(Generator& g) {
  std::vector<Terms> all;
  for (const auto& [rows, columns, terms] :
       {std::array<std::int64_t, 3>{7, 72, 3000}, {2, 1, 60000}, {4000, 9, 300}, {2, 1030, 300}})
    all.push_back({randn({rows, columns}, {}, g).mul_(Scalar(9)), skewed(terms, rows, g),
                   randn({terms, columns}, {}, g).mul_(Scalar(9))});
  return all;
}

// By index_add and scatter_add, along both dimensions.
std::vector<Tensor> added(const Terms& terms, DType dtype) {
  const Tensor x = terms.x.to(dtype), source = terms.source.to(dtype);
  const Tensor each = terms.index.unsqueeze(1).expand(source.shape()).contiguous();
  return {index_add(x, 0, terms.index, source), index_add(x.t(), 1, terms.index, source.t()).t(),
          scatter_add(x, 0, each, source), scatter_add(x.t(), 1, each.t(), source.t()).t()};
}

TEST(Index, TheSameBitsAtAnyLevelAndNumberOfThreads) {
  const int before = threads();
  Generator g(8);
  for (const Terms& terms : terms_of_every_kind(g))
    for (const DType dtype : all_dtypes) {
      if (!is_defined(Op::index_add, dtype, Device::cpu)) continue;
      set_threads(1);
      const Tensor want = added(terms, dtype)[0];
      const auto compare = [&] {
        for (const Tensor& got : added(terms, dtype))
          ASSERT_EQ(difference(got, want), "") << name(dtype) << " " << to_string(terms.x.shape());
      };
      for (const std::string& level : cpu::levels()) {
        const cpu::ForcedLevel forced(level);
        compare();
      }
      for (const int count : {2, 8}) {
        set_threads(count);
        compare();
      }
    }
  set_threads(before);
}

TEST(Index, HalvesAreAddedUpInFP32) {
  for (const DType dtype : {DType::bf16, DType::fp16}) {
    const Tensor x = full({1, 8}, 0.25, {.dtype = dtype});
    const Tensor source = ones({5000, 8}, {.dtype = dtype});
    const Tensor index = zeros({5000}, {.dtype = DType::int64});
    const Tensor want = full({1, 8}, 5000.25, {.dtype = dtype});
    EXPECT_EQ(difference(index_add(x, 0, index, source), want), "");
    const Tensor each = index.unsqueeze(1).expand({-1, 8}).contiguous();
    EXPECT_EQ(difference(scatter_add(x, 0, each, source), want), "");
  }
}

TEST(Index, RacyAdditionsAreSumsInSomeOrder) {
  Generator g(9);
  const Tensor x = randn({5, 30}, {}, g), source = randn({4000, 30}, {}, g);
  const Tensor index = skewed(4000, 5, g);
  const Tensor racy = index_add(x, 0, index, source, Order::racy);
  const Tensor exact = index_add(x.to(DType::fp64), 0, index, source.to(DType::fp64));
  const std::vector<double> got = racy.to_vector<double>(), want = exact.to_vector<double>();
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_LE(std::abs(got[i] - want[i]), 4000 * 0x1p-24 * 300) << i;
  // Where every order gives the same, so does this one: no term is lost or added twice.
  for (const DType dtype : all_dtypes) {
    if (!is_defined(Op::index_add, dtype, Device::cpu)) continue;
    const Tensor terms = ones({4000, 30}, {.dtype = dtype});
    const Tensor numbers = arange(4000).to(DType::fp64).mul_(Scalar(1.0 / 40)).to(DType::int32);
    const Tensor none = zeros({100, 30}, {.dtype = dtype});
    EXPECT_EQ(difference(index_add(none, 0, numbers, terms, Order::racy),
                         index_add(none, 0, numbers, terms)),
              "");
  }
}

TEST(Index, RefusalsNameValuePositionAndSize) {
  const Tensor x = zeros({2, 3}), list = from_data<std::int64_t>({0, 2, 3});
  expect_refused([&] { index_select(x, 1, list); }, {"index 3", "[2]", "dimension 1", "size 3"});
  expect_refused([&] { index_select(x, 0, from_data<std::int32_t>({-1})); },
                 {"index -1", "[0]", "dimension 0", "size 2"});
  const Tensor grid = from_data<std::int64_t>({0, 1, 2, 2, 7, -4}).view({2, 3});
  expect_refused([&] { gather(x, 1, grid); }, {"gather", "index 7", "[1, 1]", "size 3"});
  Tensor y = zeros({2, 3});
  expect_refused([&] { scatter_add_(y, 1, grid, ones({2, 3})); }, {"scatter_add", "index 7"});
  expect_refused([&] { index_add_(y, 1, list, ones({2, 3})); }, {"index_add", "index 3", "[2]"});
  EXPECT_TRUE(equal(y, zeros({2, 3})));
  expect_refused([&] { index_select(x, 0, zeros({2})); }, {"fp32", "int64", "int32"});
  expect_refused([&] { index_select(x, 0, list.to(Device::meta)); }, {"cpu", "meta"});
  expect_refused([&] { index_add(x, 1, list, ones({2, 2})); }, {"[2, 2]", "3 indices", "[2, 3]"});
  expect_refused([&] { scatter_add(x, 1, grid, ones({1, 3})); }, {"[1, 3]", "[2, 3]"});
}

TEST(Index, TheTensorItselfMayBeSourceAndIndex) {
  Tensor x = from_data<std::int64_t>({3, 1, 0, 2});
  index_add_(x, 0, x, x);  // x[3] += 3, x[1] += 1, x[0] += 0, x[2] += 2
  EXPECT_EQ(x.to_vector<std::int64_t>(), (std::vector<std::int64_t>{3, 2, 2, 5}));
  const std::uint64_t version = x.storage()->version();
  scatter_add_(x, 0, from_data<std::int64_t>({0, 0}), x.slice(0, 1));
  EXPECT_EQ(x.to_vector<std::int64_t>(), (std::vector<std::int64_t>{7, 2, 2, 5}));
  EXPECT_GT(x.storage()->version(), version);
}

TEST(Index, ShapesOnMetaAreThoseOnTheCpu) {
  const auto meta = [](const Tensor& t) { return t.to(Device::meta); };
  const Tensor x = zeros({4, 5}).t(), list = from_data<std::int64_t>({1, 0, 3});
  const Tensor grid = list.unsqueeze(0).expand({5, 3}), source = zeros({5, 3});
  for (const auto& [got, want] :
       {std::pair{index_select(meta(x), 1, meta(list)), index_select(x, 1, list)},
        {gather(meta(x), 1, meta(grid)), gather(x, 1, grid)},
        {index_add(meta(x), 1, meta(list), meta(source)), index_add(x, 1, list, source)},
        {scatter_add(meta(x), 1, meta(grid), meta(source)), scatter_add(x, 1, grid, source)}}) {
    EXPECT_EQ(got.shape(), want.shape());
    EXPECT_EQ(got.strides(), want.strides());
    EXPECT_EQ(got.device(), Device::meta);
  }
}

TEST(Index, ObserversHearOfIndexRowsAndResult) {
  struct Last : Observer {
    OperationEvent event{};
    void on(const OperationEvent& e) override { event = e; }
  } last;
  const Tensor x = zeros({100, 8}), list = from_data<std::int64_t>({1, 1, 7});
  index_select(x, 0, list);
  EXPECT_STREQ(last.event.name, "index_select");
  EXPECT_EQ(last.event.bytes_read, 3 * 8 + 3 * 8 * 4);
  EXPECT_EQ(last.event.bytes_written, 3 * 8 * 4);
  index_add(x, 0, list, ones({3, 8}));
  EXPECT_STREQ(last.event.name, "index_add");
  EXPECT_EQ(last.event.flops, 24);
  EXPECT_EQ(last.event.bytes_read, 3 * 8 + 2 * 24 * 4);
  EXPECT_EQ(last.event.bytes_written, 24 * 4);
}

TEST(Index, LargeResultsThatAreStreamedAreRight) {
  const Tensor x = arange(3 * 4096).to(DType::fp32).view({3, 4096});
  std::vector<std::int64_t> numbers;
  for (std::int64_t n = 0; n < 2050; ++n) numbers.push_back(n * 7 % 3);
  const Tensor list = from_data(numbers, {2050});
  const Tensor got = index_select(x, 0, list);  // 33.6 MB
  for (std::int64_t n = 0; n < 2050; n += 41)
    ASSERT_TRUE(equal(got[n], x[numbers[static_cast<std::size_t>(n)]])) << n;
  EXPECT_TRUE(equal(index_select(x.t(), 1, list), got.t()));
}

}  // namespace
}  // namespace napkin
