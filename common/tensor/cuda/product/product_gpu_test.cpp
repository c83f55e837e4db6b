// Matrix products on the GPU: PyTorch's where they are exact, within the stated bound elsewhere.
#include "common/tensor/operations/matmul.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/core/traffic.h"
#include "common/gpu/blas/blas.h"
#include "common/gpu/runtime.h"
#include "common/tensor/create.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;

class GpuMatmul : public testing::Test {
  void SetUp() override {
    if (!gpu::available()) GTEST_SKIP() << gpu::why_unavailable();
  }
};

// The same view of the same storage, on the GPU.
Tensor on_gpu(const Tensor& x) {
  const Tensor storage = x.as_strided({x.storage_bytes() / size_of(x.dtype())}, {1}, 0);
  return storage.to(Device::cuda).as_strided(x.shape(), x.strides(), x.offset());
}

TEST_F(GpuMatmul, EqualsPyTorchWhereProductsAreExact) {
  int checked = 0;
  for (const Case& c : recorded::cases("products", {"matmul", "matmul_into_"})) {
    const bool into = c.operation == "matmul_into_";
    const Tensor a = c.tensor(into ? 1 : 0), b = c.tensor(into ? 2 : 1);
    if (c.refused || !is_floating(a.dtype())) continue;
    Tensor got;
    if (into) {
      got = on_gpu(c.tensor(0));
      matmul_into(got, on_gpu(a), on_gpu(b), c.number(3).to_double(), c.number(4).to_double());
      got = got.as_strided({got.storage_bytes() / size_of(got.dtype())}, {1}, 0);
    } else {
      got = matmul(on_gpu(a), on_gpu(b));
      EXPECT_TRUE(got.is_contiguous());
    }
    EXPECT_EQ(difference(got.to(Device::cpu), c.results[0].elements.view(c.results[0].shape)), "")
        << c.text;
    ++checked;
  }
  EXPECT_GT(checked, 400);
}

Tensor magnitudes(const Tensor& x) {
  auto values = x.to_vector<double>();
  for (double& v : values) v = std::abs(v);
  return from_data(values, x.shape());
}

TEST_F(GpuMatmul, LiesWithinTheBoundOfTheProcessor) {
  Generator generator(21);
  for (const DType dtype : {DType::fp64, DType::fp32, DType::bf16, DType::fp16}) {
    const Tensor a = randn({5, 67, 301}, {}, generator).to(dtype);
    const Tensor b = randn({129, 301}, {}, generator).to(dtype).t();
    const auto got = matmul(on_gpu(a), on_gpu(b)).to(Device::cpu).to_vector<double>();
    const auto want = matmul(a.to(DType::fp64), b.to(DType::fp64)).to_vector<double>();
    const auto magnitude = matmul(magnitudes(a), magnitudes(b)).to_vector<double>();
    const double u = dtype == DType::fp64 ? 0x1p-52 : 0x1p-24;
    const double last = dtype == DType::bf16 ? 0x1p-8 : dtype == DType::fp16 ? 0x1p-11 : 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double sum = 301 * u / (1 - 301 * u) * magnitude[i];
      ASSERT_LE(std::abs(got[i] - want[i]), sum + last * (std::abs(want[i]) + sum)) << name(dtype);
    }
  }
}

TEST_F(GpuMatmul, RepeatsItsBits) {
  const Tensor a = randn({300, 4000}).to(Device::cuda), b = randn({4000, 70}).to(Device::cuda);
  const Tensor first = matmul(a, b).to(Device::cpu);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(difference(matmul(a, b).to(Device::cpu), first), "");
}

TEST_F(GpuMatmul, ReadableOperandsAreNotCopied) {
  const Tensor a = randn({64, 48}).to(Device::cuda), b = randn({96, 60}).to(Device::cuda);
  const Tensor gaps = b.slice(1, 3, 51);
  const Traffic traffic;
  const Tensor c = matmul(a, gaps.t());
  EXPECT_EQ(traffic.allocated(), c.bytes());
}

gpu::BlasProduct product_of(const Tensor& a, const Tensor& b, const Tensor& c) {
  gpu::BlasProduct p;
  p.m = a.size(0);
  p.k = a.size(1);
  p.n = b.size(1);
  p.a = {a.raw_data(), a.stride(0), a.stride(1)};
  p.b = {b.raw_data(), b.stride(0), b.stride(1)};
  p.c = {c.raw_data(), c.stride(0), c.stride(1)};
  return p;
}

TEST_F(GpuMatmul, SmallIntegersAreExactInEveryPrecision) {
  const Tensor a = randint(-3, 4, {256, 512}, {.dtype = DType::fp32}).to(Device::cuda);
  const Tensor b = randint(-3, 4, {512, 128}, {.dtype = DType::fp32}).to(Device::cuda);
  const Tensor want = matmul(a, b).to(Device::cpu);
  const Tensor c = empty({256, 128}, {.device = Device::cuda});
  for (const auto precision : {gpu::Precision::full, gpu::Precision::tf32}) {
    gpu::BlasProduct p = product_of(a, b, c);
    p.precision = precision;
    gpu::multiply(p);
    EXPECT_EQ(difference(c.to(Device::cpu), want), "");
  }
  EXPECT_EQ(difference(matmul(a, b).to(Device::cpu), want), "");
}

// The diagonal hands through what TF32 would cut to 1.
TEST_F(GpuMatmul, FullPrecisionIsNotTf32) {
  Tensor diagonal = zeros({64, 64});
  diagonal.as_strided({64}, {65}, 0).fill_(1);
  const Tensor x = full({64, 64}, 1.0f + 0x1p-20f);
  EXPECT_EQ(difference(matmul(diagonal.to(Device::cuda), x.to(Device::cuda)).to(Device::cpu), x),
            "");
}

}  // namespace
}  // namespace napkin
