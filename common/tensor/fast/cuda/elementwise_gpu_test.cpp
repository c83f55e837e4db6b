// Elementwise operations on the GPU: the bits of the CPU, and PyTorch's as recorded.
#include "common/tensor/elementwise.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/random.h"
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

TEST_F(GpuElementwise, BitsAreTheCpus) {
  Generator g(5);
  for (const DType da : all_dtypes)
    for (const DType db : all_dtypes) {
      const Tensor a = (randn({64, 136}, {}, g) * 20).to(da),
                   b = (randn({64, 136}, {}, g) * 3).to(db);
      const Tensor ga = a.to(Device::cuda), gb = b.to(Device::cuda);
      for (const Pair& pair : pairs) {
        SCOPED_TRACE(fmt::format("{} {} {}", name(da), name(db), pair.what));
        const auto same = [&](auto operation) {
          Tensor want;
          try {
            want = operation(pair.a(a), pair.b(b));
          } catch (const Error&) {
            EXPECT_THROW(operation(pair.a(ga), pair.b(gb)), Error);
            return;
          }
          const Tensor got = operation(pair.a(ga), pair.b(gb));
          EXPECT_EQ(to_string(got.strides()), to_string(want.strides()));
          EXPECT_EQ(difference(got.to(Device::cpu), want), "");
        };
        same([](const Tensor& x, const Tensor& y) { return x + y; });
        same([](const Tensor& x, const Tensor& y) { return sub(x, y, 2); });
        same([](const Tensor& x, const Tensor& y) { return x * y; });
        same([](const Tensor& x, const Tensor& y) { return x / y; });
        same([](const Tensor& x, const Tensor& y) { return eq(x, y); });
        same([](const Tensor& x, const Tensor&) { return x * 3; });
        same([](const Tensor& x, const Tensor&) { return x / 0.3; });
        same([](const Tensor& x, const Tensor&) { return -x; });
        same([](const Tensor& x, const Tensor& y) {
          Tensor z = x.clone();
          return z.mul_(y);
        });
      }
    }
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
