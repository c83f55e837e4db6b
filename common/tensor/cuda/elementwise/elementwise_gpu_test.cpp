// Elementwise operations on the GPU: the bits of the CPU, and PyTorch's as recorded.
#include "common/tensor/operations/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::difference;

class GpuElementwise : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

struct Pair {
  const char* what;
  std::function<Tensor(const Tensor&)> a, b;  // views of a tensor of shape {64, 136}
};

const std::vector<Pair> pairs = {
    {"whole", [](auto& x) { return x; }, [](auto& x) { return x; }},
    {"transposed", [](auto& x) { return x; },
     [](auto& x) {
       return x.flatten().view({136, 64}).t();
     }},
    {"a row", [](auto& x) { return x; }, [](auto& x) { return x[3]; }},
    {"a column", [](auto& x) { return x; }, [](auto& x) { return x.slice(1, 5, 6); }},
    {"an element", [](auto& x) { return x; }, [](auto& x) { return x[1][2]; }},
    {"odd places", [](auto& x) { return x.flatten().slice(0, 1, 5000); },
     [](auto& x) { return x.flatten().slice(0, 3, 5002); }},
    {"a tail", [](auto& x) { return x.flatten().slice(0, 0, 4999); },
     [](auto& x) { return x.flatten().slice(0, 8, 5007); }},
    {"every third", [](auto& x) { return x.slice(1, 0, 136, 3); },
     [](auto& x) { return x.slice(1, 90); }},
    {"none", [](auto& x) { return x.slice(0, 5, 5); }, [](auto& x) { return x[0]; }},
};

using Operation = std::function<Tensor(const Tensor&, const Tensor&)>;

// The operation on both devices: refused on both, or the same strides and, as `differ` judges, the
// same elements.
void expect_same(const Operation& operation, const Pair& pair, const Tensor& a, const Tensor& b,
                 std::string (*differ)(const Tensor&, const Tensor&)) {
  Tensor want;
  const auto there = [&] {
    return operation(pair.a(a.to(Device::cuda)), pair.b(b.to(Device::cuda)));
  };
  try {
    want = operation(pair.a(a), pair.b(b));
  } catch (const Error&) {
    EXPECT_THROW(there(), Error);
    return;
  }
  const Tensor got = there();
  EXPECT_EQ(to_string(got.strides()), to_string(want.strides()));
  EXPECT_EQ(differ(got.to(Device::cpu), want), "");
}

void expect_same_everywhere(const std::vector<Operation>& operations, DType da, DType db,
                            std::string (*differ)(const Tensor&, const Tensor&) = difference) {
  Generator g(5);
  const Tensor a = (randn({64, 136}, {}, g) * 20).to(da);
  const Tensor b = (randn({64, 136}, {}, g) * 3).to(db);
  for (const Pair& pair : pairs)
    for (std::size_t n = 0; n < operations.size(); ++n) {
      SCOPED_TRACE(fmt::format("{} {} {}, operation {}", name(da), name(db), pair.what, n));
      expect_same(operations[n], pair, a, b, differ);
    }
}

using T = const Tensor&;

const std::vector<Operation> exact = {
    [](T x, T y) { return x + y; },
    [](T x, T y) { return sub(x, y, 2); },
    [](T x, T y) { return x * y; },
    [](T x, T y) { return x / y; },
    [](T x, T) { return x * 3; },
    [](T x, T) { return x / 0.3; },
    [](T x, T) { return -x; },
    [](T x, T) { return abs(x); },
    [](T x, T) { return sign(x); },
    [](T x, T) { return sqrt(abs(x)); },
    [](T x, T) { return rsqrt(abs(x)); },
    [](T x, T) { return relu(x); },
    [](T x, T y) { return maximum(x, y); },
    [](T x, T y) { return minimum(y, x); },
    [](T x, T) { return clamp(x, -1, 2); },
    [](T x, T y) { return eq(x, y); },
    [](T x, T y) { return lt(x, y); },
    [](T x, T y) { return ge(x, y); },
    [](T x, T y) { return where(gt(x, y), x, y); },
    [](T x, T y) { return addcmul(x, y, y, 2); },
    [](T x, T y) { return lerp(x, y, 0.3); },
    [](T x, T y) {
      Tensor z = x.clone();
      return z.mul_(y);
    },
};

// Of one operand. In fp64 they are the compiler's, on the GPU NVIDIA's.
const std::vector<Operation> functions = {
    [](T x, T) { return exp(x); },  [](T x, T) { return log(x); },
    [](T x, T) { return tanh(x); }, [](T x, T) { return sigmoid(x); },
    [](T x, T) { return gelu(x); }, [](T x, T) { return gelu(x, Gelu::tanh); },
};

// Equal but for some units of fp64's last place.
std::string distance(const Tensor& got, const Tensor& want) {
  const std::vector<double> g = got.to_vector<double>(), w = want.to_vector<double>();
  for (std::size_t i = 0; i < w.size(); ++i) {
    const bool same = g[i] == w[i] || (std::isnan(g[i]) && std::isnan(w[i]));
    if (!same && !(std::abs(g[i] - w[i]) <= 4e-15 * std::abs(w[i]) + 1e-300))
      return fmt::format("element {} is {}, not {}", i, g[i], w[i]);
  }
  return {};
}

TEST_F(GpuElementwise, BitsAreTheCpus) {
  for (const DType a : all_dtypes)
    for (const DType b : all_dtypes) expect_same_everywhere(exact, a, b);
}

TEST_F(GpuElementwise, FunctionsAreTheCpus) {
  for (const DType a : all_dtypes)
    expect_same_everywhere(functions, a, a, a == DType::fp64 ? distance : difference);
}

TEST_F(GpuElementwise, ZeroDimensionalTensorsOfTheComputerAreNumbers) {
  const Tensor x = arange(10, {.dtype = DType::bf16}), y = full({}, 0.3, {.dtype = DType::fp64});
  EXPECT_EQ(difference((x.to(Device::cuda) * y).to(Device::cpu), x * y), "");
  EXPECT_EQ(difference((y / x.to(Device::cuda)).to(Device::cpu), y / x), "");
  EXPECT_THROW(x + x.to(Device::cuda), Error);
}

TEST_F(GpuElementwise, EqualComparesThere) {
  const Tensor x = arange(1000).to(Device::cuda);
  EXPECT_TRUE(equal(x, x.clone()));
  Tensor y = x.clone();
  y[999].add_(1);
  EXPECT_FALSE(equal(x, y));
}

}  // namespace
}  // namespace napkin
