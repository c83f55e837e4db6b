// Matrix products (lecture 4.2): PyTorch's results, recorded by reference/products.py, where they
// are exact; the stated bound on random numbers; the same bits at any number of threads.
#include "common/tensor/operations/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/core/observer.h"
#include "common/core/parallel.h"
#include "common/core/traffic.h"
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

class Threads {
 public:
  explicit Threads(int count) : before_(threads()) { set_threads(count); }
  ~Threads() { set_threads(before_); }

 private:
  int before_;
};

TEST(Matmul, EqualsPyTorchWhereProductsAreExact) {
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const recorded::Verdict verdict = recorded::compare(
        "products", {{"matmul", [](const Case& c) { return matmul(c.tensor(0), c.tensor(1)); }},
                     {"matmul_into_", [](const Case& c) {
                        Tensor result = c.tensor(0);
                        matmul_into(result, c.tensor(1), c.tensor(2), c.number(3).to_double(),
                                    c.number(4).to_double());
                        return result;
                      }}});
    EXPECT_EQ(verdict.wrong, std::vector<std::string>()) << level;
    EXPECT_GT(verdict.checked, 1000);
  }
}

// Whether it multiplies and adds with one rounding: all but the baseline of x86, which cannot.
bool is_fused(const std::string& level) { return level != "baseline"; }

Tensor normal(const Shape& shape, Generator& generator) { return randn(shape, {}, generator); }

// a (m, k) b (k, n) by the definition, in int64 or fp64.
template <class T>
std::vector<T> by_definition(const Tensor& a, const Tensor& b, bool magnitudes = false) {
  const auto x = a.to_vector<T>(), y = b.to_vector<T>();
  const auto m = static_cast<std::size_t>(a.size(0)), k = static_cast<std::size_t>(a.size(1));
  const auto n = static_cast<std::size_t>(b.size(1));
  std::vector<T> c(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < k; ++p)
      for (std::size_t j = 0; j < n; ++j) {
        const T product = x[i * k + p] * y[p * n + j];
        c[i * n + j] += magnitudes ? std::abs(product) : product;
      }
  return c;
}

struct Sizes {
  std::int64_t m, k, n;
};
// Around the sizes of tiles, panels and blocks.
const Sizes awkward[] = {{1, 1, 1},     {1, 700, 130},  {130, 700, 1}, {7, 256, 32}, {13, 257, 33},
                         {12, 513, 65}, {250, 40, 515}, {241, 31, 70}, {64, 64, 64}, {5, 1030, 3}};

Tensor turned(const Tensor& x) { return x.t().contiguous().t(); }
Tensor with_gaps(const Tensor& x) {
  Tensor wide = zeros({x.size(0), x.size(1) + 5}, {.dtype = x.dtype()});
  Tensor middle = wide.slice(1, 2, 2 + x.size(1));
  return middle.copy_(x);
}
// Neither rows nor columns are unbroken.
Tensor scattered(const Tensor& x) {
  Tensor wide = zeros({2 * x.size(0), 3 * x.size(1)}, {.dtype = x.dtype()});
  Tensor part = wide.slice(0, 0, Tensor::to_end, 2).slice(1, 1, Tensor::to_end, 3);
  return part.copy_(x);
}

TEST(Matmul, LiesWithinItsBoundInEveryLayout) {
  Generator generator(7);
  for (const std::string& level : cpu::levels())
    for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::fp16})
      for (const auto& [m, k, n] : awkward) {
        const cpu::ForcedLevel forced(level);
        const Tensor a = normal({m, k}, generator).to(dtype),
                     b = normal({k, n}, generator).to(dtype);
        const auto exact = by_definition<double>(a, b), size = by_definition<double>(a, b, true);
        // fp64 against a sum in fp64: both may be off by as much.
        const double u = dtype == DType::fp64 ? 0x1p-52 : 0x1p-24;
        const double last = dtype == DType::bf16 ? 0x1p-8 : dtype == DType::fp16 ? 0x1p-11 : 0;
        for (const Tensor& x : {a, turned(a), with_gaps(a), scattered(a)})
          for (const Tensor& y : {b, turned(b), with_gaps(b), scattered(b)}) {
            const auto got = matmul(x, y).to_vector<double>();
            for (std::size_t i = 0; i < exact.size(); ++i) {
              const double steps = static_cast<double>(is_fused(level) ? k : k + 1);
              const double sum = steps * u / (1 - steps * u) * size[i];
              ASSERT_LE(std::abs(got[i] - exact[i]), sum + last * (std::abs(exact[i]) + sum))
                  << level << " " << name(dtype) << " " << m << " " << k << " " << n;
            }
          }
      }
}

TEST(Matmul, IntegersWrapAround) {
  Generator generator(8);
  for (const DType dtype : {DType::int64, DType::int32, DType::uint16, DType::uint8})
    for (const auto& [m, k, n] : awkward) {
      const Tensor a = randint(0, 250, {m, k}, {.dtype = dtype}, generator);
      const Tensor b = randint(0, 250, {k, n}, {.dtype = dtype}, generator);
      const auto sums = by_definition<std::int64_t>(a, b);
      const Tensor want = from_data(sums, {m, n}).to(dtype);
      for (const Tensor& x : {a, turned(a), scattered(a)})
        ASSERT_EQ(difference(matmul(x, turned(b)), want), "") << name(dtype);
    }
  const Tensor large = full({2, 3}, 0x7fffffffffffff01, {.dtype = DType::int64});
  const std::uint64_t square = 3 * (0x7fffffffffffff01u * 0x7fffffffffffff01u);
  for (const std::int64_t got : matmul(large, large.t()).to_vector<std::int64_t>())
    EXPECT_EQ(static_cast<std::uint64_t>(got), square);
}

TEST(Matmul, HasTheSameBitsAtAnyNumberOfThreads) {
  Generator generator(9);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp64})
    for (const auto& [m, k, n] : {Sizes{500, 300, 520},
                                  {1, 900, 1400},
                                  {1500, 800, 1},
                                  {97, 2000, 97},
                                  {300, 900, 65},
                                  {13, 9000, 65},
                                  {25, 9000, 129}}) {
      const Tensor a = normal({m, k}, generator).to(dtype), b = normal({k, n}, generator).to(dtype);
      const Tensor batch = normal({9, 40, 70}, generator).to(dtype);
      const Tensor other = normal({9, 70, 50}, generator).to(dtype);
      Tensor first, first_batch;
      for (const int count : {1, 2, 3, 8}) {
        const Threads use(count);
        const Tensor c = matmul(a, turned(b)), d = matmul(batch, other);
        if (count == 1) {
          first = c;
          first_batch = d;
        }
        EXPECT_EQ(difference(c, first), "") << count;
        EXPECT_EQ(difference(d, first_batch), "") << count;
      }
    }
}

TEST(Matmul, BatchesDoNotShowInTheBits) {
  Generator generator(10);
  const Tensor a = normal({4, 3, 33, 65}, generator), b = normal({3, 65, 40}, generator);
  const Tensor together = matmul(a, b), one = matmul(a, b[1]);
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 3; ++j) {
      EXPECT_EQ(difference(together[i][j], matmul(a[i][j], b[j])), "");
      EXPECT_EQ(difference(one[i][j], matmul(a[i][j], b[1])), "");
    }
}

TEST(Matmul, FusedInstructionSetsGiveTheSameBits) {
  Generator generator(11);
  const Tensor a = normal({50, 300}, generator), b = normal({300, 70}, generator);
  const Tensor x = normal({300}, generator);
  Tensor want, want_vector;
  for (const std::string& level : cpu::levels()) {
    if (!is_fused(level)) continue;
    const cpu::ForcedLevel forced(level);
    const Tensor c = matmul(a, b), y = matmul(a, x);
    if (!want.defined()) {
      want = c;
      want_vector = y;
    }
    EXPECT_EQ(difference(c, want), "") << level;
    EXPECT_EQ(difference(y, want_vector), "") << level;
  }
}

TEST(Matmul, NotANumberAndInfinityPassThrough) {
  Tensor a = ones({20, 40}), b = ones({40, 50});
  a[3].fill_(INFINITY);
  a[5].fill_(NAN);
  b.select(1, 7).fill_(0);
  const Tensor c = matmul(a, b);
  for (std::int64_t i = 0; i < 20; ++i)
    for (std::int64_t j = 0; j < 50; ++j) {
      const double got = c.at({i, j}).to_double();
      if (i == 5 || (i == 3 && j == 7))
        EXPECT_TRUE(std::isnan(got));
      else
        EXPECT_EQ(got, i == 3 ? INFINITY : j == 7 ? 0 : 40);
    }
}

struct Counter : Observer {
  void on(const OperationEvent& e) override {
    if (std::string_view(e.name) == "matmul") last = e;
  }
  OperationEvent last{};
};

double flops(const Shape& a, const Shape& b, Device device = Device::cpu) {
  const Counter counter;
  matmul(ones(a, {.device = device}), ones(b, {.device = device}));
  return counter.last.flops;
}

TEST(Matmul, CountsTwoOperationsForEachProduct) {
  EXPECT_EQ(flops({3, 1, 4, 5}, {2, 5, 6}), 1440);
  EXPECT_EQ(flops({25, 16}, {16, 9}), 7200);
  EXPECT_EQ(flops({2, 25, 16}, {2, 16, 9}, Device::meta), 14400);
  EXPECT_EQ(flops({2, 0}, {0, 3}), 0);
  const Counter counter;
  matmul(ones({4}).expand({3, 4}), ones({4, 5}, {.dtype = DType::fp32}));
  EXPECT_EQ(counter.last.bytes_read, 4 * 4 + 20 * 4);
  EXPECT_EQ(counter.last.bytes_written, 15 * 4);
}

TEST(Matmul, CopiesOnlyWhatHasNoStrideOfOne) {
  const Tensor a = ones({20, 30}), b = ones({30, 40});
  const std::int64_t result = 20 * 40 * 4;
  for (const Tensor& x : {a, turned(a), with_gaps(a), scattered(a), a[0].expand({20, 30})})
    for (const Tensor& y : {b, turned(b), with_gaps(b)}) {
      const Traffic traffic;
      matmul(x, y);
      const bool copied = x.stride(0) == 0 || (x.stride(0) != 1 && x.stride(1) != 1);
      EXPECT_EQ(traffic.allocated(), result + (copied ? a.bytes() : 0)) << to_string(x.strides());
    }
}

TEST(Matmul, MetaHasTheShapesOnly) {
  const Tensor a = empty({3, 1, 4, 5}, {.dtype = DType::bf16, .device = Device::meta});
  const Tensor b = empty({2, 6, 5}, {.dtype = DType::bf16, .device = Device::meta});
  const Tensor c = matmul(a, b.transpose(1, 2));
  EXPECT_EQ(c.shape(), (Shape{3, 2, 4, 6}));
  EXPECT_TRUE(c.is_contiguous());
  const std::int64_t large = std::int64_t{1} << 20;
  EXPECT_EQ(flops({large, large}, {large, large}, Device::meta), 2 * std::pow(2.0, 60));
}

TEST(Matmul, RefusesWithSentences) {
  const Tensor a = ones({2, 3});
  expect_refused(
      [&] {
        matmul(a, ones({4, 5}));
      },
      {"matmul: [2, 3] by [4, 5]: the inner sizes 3 and 4 differ"});
  expect_refused([&] { matmul(a, ones({3}, {.dtype = DType::bf16})); },
                 {"matmul: one operand is fp32, the other bf16; convert one of them"});
  expect_refused([&] { matmul(a, scalar_tensor(1.0)); },
                 {"matmul: shapes [2, 3] and []: both operands need at least one dimension"});
  expect_refused([&] { matmul(a, ones({3}, {.device = Device::meta})); },
                 {"matmul: one operand is on cpu, the other on meta"});
  Tensor result = ones({2, 2}), expanded = ones({1}).expand({2, 2});
  expect_refused(
      [&] {
        matmul_into(result, a, ones({3, 4}));
      },
      {"matmul_into: the product has shape [2, 4], the result [2, 2]"});
  expect_refused([&] { matmul_into(expanded, a, a.t()); }, {"share one place"});
  EXPECT_EQ(difference(result, ones({2, 2})), "");
}

TEST(Matmul, IntoItsOwnOperand) {
  Generator generator(12);
  Tensor a = normal({300, 300}, generator), b = normal({300, 300}, generator);
  const Tensor want = matmul(a, b), want_next = matmul(want, b);
  const auto version = a.storage()->version();
  matmul_into(a, a, b);
  EXPECT_EQ(difference(a, want), "");
  EXPECT_GT(a.storage()->version(), version);
  matmul_into(b, a, b);
  EXPECT_EQ(difference(b, want_next), "");
}

TEST(Matmul, UnreadResultsMayHoldAnything) {
  Tensor result = full({30, 40}, NAN);
  matmul_into(result, ones({30, 8}), ones({8, 40}), 2, 0);
  EXPECT_EQ(difference(result, full({30, 40}, 16.0f)), "");
  for (const std::int64_t k : {0, 300}) {
    Tensor onto = full({30, 40}, 3.0f);
    matmul_into(onto, ones({30, k}), ones({k, 40}), 0.5, 2);
    EXPECT_EQ(difference(onto, full({30, 40}, 6.0f + 0.5f * static_cast<float>(k))), "");
  }
}

}  // namespace
}  // namespace napkin
