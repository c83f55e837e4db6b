// The GPU's kernels of block tensors, run on the host, against the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "common/core/error.h"
#include "common/tensor/blocks/quantize.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/host_engine.h"
#include "common/tensor/cuda/quantize/quantize_plan.h"
#include "common/tensor/testing/block_samples.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::cuda {
namespace {

using namespace block_formats;
using recorded::difference;

BlockTensor emptied(const BlockTensor& q) {
  BlockTensor result = q;
  result.codes = full(q.codes.shape(), 0xee, {.dtype = DType::uint8});
  result.scales = full(q.scales.shape(), 77, {.dtype = q.scales.dtype()});
  if (q.tensor_scale.defined()) result.tensor_scale = full({}, 77);
  return result;
}

void expect_the_cpus(const Tensor& x, const BlockFormat& f) {
  const BlockTensor want = quantize(x, f), got = emptied(want);
  int launches = 0;
  gpu::FaultRecord record;
  quantize_with(HostEngine{&launches}, got, x, {&record, "quantize"});
  EXPECT_EQ(difference(got.codes, want.codes), "");
  EXPECT_EQ(difference(got.scales, want.scales), "");
  if (want.tensor_scale.defined()) {
    EXPECT_EQ(difference(got.tensor_scale, want.tensor_scale), "");
  }
  EXPECT_NO_THROW(gpu::throw_fault(record));
  EXPECT_GT(launches, 0);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16, DType::fp64}) {
    const Tensor read = full(x.shape(), 77, {.dtype = dtype});
    dequantize_with(HostEngine{&launches}, read, want);
    EXPECT_EQ(difference(read, dequantize(want, dtype)), "");
  }
}

TEST(QuantizeKernels, GiveTheBytesOfTheCpu) {
  const Tensor tensors[] = {telling_tensor({3, 1234}, 1),  telling_tensor({97, 64}, 2),
                            telling_tensor({41, 33}, 3),   telling_tensor({1, 16384 + 24}, 4),
                            telling_tensor({2, 3, 32}, 5), telling_tensor({}, 6),
                            telling_tensor({5, 1}, 7)};
  for (const Tensor& x : tensors)
    for (const BlockFormat& f : sample_block_formats()) {
      SCOPED_TRACE(fmt::format("{} in {}", x.shape(), described(f)));
      expect_the_cpus(x, f);
    }
}

TEST(QuantizeKernels, TakeEveryFloatingDtypeAndPlaceInMemory) {
  const Tensor x = telling_tensor({40, 65}, 8);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16, DType::fp64})
    for (const std::int64_t start : {0, 1, 8}) {
      const Tensor view = x.to(dtype).view({-1}).slice(0, start, start + 2048).view({32, 64});
      for (const BlockFormat& f : {mxfp8, mxfp8_e5m2, mxfp4}) {
        SCOPED_TRACE(fmt::format("{} from {} in {}", name(dtype), start, described(f)));
        expect_the_cpus(view, f);
      }
    }
  const Tensor ordinary = telling_tensor({32, 64}, 9).clamp_(-1000, 1000);
  for (const DType dtype : {DType::bf16, DType::fp16, DType::fp64})
    expect_the_cpus(ordinary.to(dtype), nvfp4);
}

TEST(QuantizeKernels, ReadNothingPastTheLastElement) {
  const Tensor x = telling_tensor({4200}, 11);
  x.slice(0, 4120).fill_(1e30);
  for (const BlockFormat& f : sample_block_formats()) {
    SCOPED_TRACE(described(f));
    expect_the_cpus(x.slice(0, 0, 4120), f);
  }
}

TEST(QuantizeKernels, WorkOnNothing) {
  for (const Shape& shape : {Shape{0, 5}, Shape{5, 0}, Shape{0}})
    for (const BlockFormat& f : {nvfp4, mxfp8, fp32_scaled(formats::e2m1)}) {
      const BlockTensor want = quantize(zeros(shape), f), got = emptied(want);
      int launches = 0;
      gpu::FaultRecord record;
      quantize_with(HostEngine{&launches}, got, zeros(shape), {&record, "quantize"});
      if (want.tensor_scale.defined()) {
        EXPECT_EQ(difference(got.tensor_scale, want.tensor_scale), "");
      }
      dequantize_with(HostEngine{&launches}, zeros(shape), got);
    }
}

TEST(QuantizeKernels, InfinityAndNanMakeMxBlocksNanAndAreReportedElsewhere) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, double{NAN}}) {
    Tensor x = telling_tensor({4, 64}, 10);
    x[2][40].fill_(bad);
    for (const BlockFormat& f : {mxfp8, mxfp4, mxfp8_e5m2, mx(formats::e2m1, ScaleRule::up)})
      expect_the_cpus(x, f);
    for (const BlockFormat& f : {nvfp4, fp32_scaled(formats::e4m3fn)}) {
      const BlockTensor q = quantize(zeros({4, 64}), f);
      int launches = 0;
      gpu::FaultRecord record;
      quantize_with(HostEngine{&launches}, q, x, {&record, "quantize"});
      EXPECT_EQ(record.found, 1);
      EXPECT_EQ(record.value, 2 * 64 + 40);
      EXPECT_THROW(gpu::throw_fault(record), Error);
    }
  }
}

}  // namespace
}  // namespace napkin::cuda
