// Named axes of Variables.
#include "common/autograd/einops.h"

#include <gtest/gtest.h>

#include "common/autograd/functions.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/refused.h"

namespace napkin::autograd {
namespace {

TEST(NamedAxes, HaveGradients) {
  const Variable x(arange(24.0, {DType::fp64}).view({2, 3, 4}), true);
  const Variable heads = rearrange(x, "b s (h d) -> b h s d", {{"h", 2}});
  sum(heads * heads).backward();
  EXPECT_EQ(x.grad().at({1, 2, 3}).to_double(), 2 * 23);
  x.zero_grad();
  sum(repeat(reduce(x, "b s d -> b d", Reduction::mean), "b d -> b d n", {{"n", 6}})).backward();
  EXPECT_EQ(x.grad().at({0, 0, 0}).to_double(), 2);  // 6 / 3
}

TEST(NamedAxes, EinsumIsItsProducts) {
  const Variable q(randn({2, 3, 5, 4}, {DType::fp64}), true),
      k(randn({2, 3, 6, 4}, {DType::fp64}), true);
  const Tensor weights = randn({2, 3, 5, 6}, {DType::fp64});
  sum(einsum(q, k, "b h q d, b h k d -> b h q k") * weights).backward();
  const auto by_einsum = q.grad().to_vector<double>();
  q.zero_grad();
  sum(matmul(q, k.transpose(-2, -1)) * weights).backward();
  EXPECT_EQ(by_einsum, q.grad().to_vector<double>());
  const Variable m(randn({3, 3}, {DType::fp64}), true);
  einsum({m, m}, "i i, j j ->").backward();  // the trace, squared
  const double trace = einsum({m.detach()}, "i i ->").value().item().to_double();
  EXPECT_NEAR(m.grad().at({1, 1}).to_double(), 2 * trace, 1e-12);
  EXPECT_EQ(m.grad().at({0, 1}).to_double(), 0);
  expect_refused(
      [&] {
        einsum(q, Variable(ones({2, 3, 6, 4})), "b h q d, b h k d -> b h q k");
      },
      {"einsum"});
}

}  // namespace
}  // namespace napkin::autograd
