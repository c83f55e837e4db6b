// cat and stack against PyTorch (reference/indexing.py).
#include "common/tensor/operations/join.h"

#include <gtest/gtest.h>

#include "common/core/observer.h"
#include "common/tensor/create.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

using recorded::Case;

const recorded::Operations operations_here = {
    {"cat", [](const Case& c) { return cat(c.get<std::vector<Tensor>>(0), c.integer(1)); }},
    {"stack", [](const Case& c) { return stack(c.get<std::vector<Tensor>>(0), c.integer(1)); }},
};

TEST(Join, ResultsAndRefusalsArePyTorchs) {
  const recorded::Verdict verdict = recorded::compare("ordering", operations_here);
  for (const std::string& line : verdict.wrong) ADD_FAILURE() << line;
  EXPECT_GT(verdict.checked, 400);
}

TEST(Join, RefusalsNameTheTensorAndTheSizes) {
  const Tensor a = zeros({2, 3}), b = zeros({2, 4});
  expect_refused([&] { cat({a, a, b}, 0); }, {"tensor 2", "[2, 4]", "tensor 0", "[2, 3]"});
  expect_refused([&] { cat({zeros({0}), a, b}, 0); }, {"tensor 2", "[2, 4]", "tensor 1", "[2, 3]"});
  expect_refused([&] { cat({a, zeros({})}, 0); }, {"tensor 1", "stack"});
  expect_refused([&] { cat({}, 0); }, {"at least one"});
  expect_refused([&] { stack({a, b}); }, {"tensor 1", "[2, 4]", "[2, 3]"});
  expect_refused([&] { stack({}); }, {"at least one"});
  expect_refused([&] { cat({a, zeros({2, 3}, {.device = Device::meta})}); }, {"cpu", "meta"});
}

TEST(Join, ShapesOnMetaAreThoseOnTheCpu) {
  const Tensor a = zeros({2, 3}, {.dtype = DType::bf16}), b = zeros({2, 5}).t().slice(0, 1).t();
  const auto meta = [](const Tensor& x) { return x.to(Device::meta); };
  for (const auto& [got, want] : {std::pair{cat({meta(a), meta(b)}, 1), cat({a, b}, 1)},
                                  {stack({meta(a), meta(a)}, 2), stack({a, a}, 2)}}) {
    EXPECT_EQ(got.shape(), want.shape());
    EXPECT_EQ(got.strides(), want.strides());
    EXPECT_EQ(got.dtype(), want.dtype());
    EXPECT_EQ(got.device(), Device::meta);
  }
}

TEST(Join, EveryElementIsReadAndWrittenOnce) {
  struct Bytes : Observer {
    std::int64_t read = 0, written = 0;
    void on(const OperationEvent& e) override {
      read += e.bytes_read;
      written += e.bytes_written;
    }
  };
  const Tensor a = zeros({2, 3}), b = zeros({4, 3}, {.dtype = DType::fp64});
  Bytes bytes;
  cat({a, b});
  EXPECT_EQ(bytes.read, 6 * 4 + 12 * 8);
  EXPECT_EQ(bytes.written, 18 * 8);
}

}  // namespace
}  // namespace napkin
