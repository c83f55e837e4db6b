// The kernels of copies on the host, against the copies of the CPU.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "common/tensor/cpu/copy/copy.h"
#include "common/tensor/create.h"
#include "common/tensor/cuda/copy/copy_plan.h"
#include "common/tensor/cuda/host_engine.h"
#include "common/tensor/number.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin::cuda {
namespace {

using recorded::difference;

// The elements 0, 1, 2 ... of a strip in another dtype, each unlike its neighbours.
Tensor counted(std::int64_t count, DType dtype) {
  Tensor x = empty({count}, {.dtype = dtype});
  for (std::int64_t i = 0; i < count; ++i)
    x[i].fill_(dtype == DType::boolean ? Scalar(i % 3 == 1) : Scalar(i * 37 % 251));
  return x;
}

// A tensor within a strip that has a margin around it, in which nothing may be written.
struct Placed {
  Tensor strip, view;
};
Placed placed(DType dtype, const Shape& shape, const Strides& strides, std::int64_t offset) {
  static std::map<DType, Tensor> strips;
  if (!strips.contains(dtype)) strips[dtype] = counted(4096, dtype);
  const Tensor strip = strips[dtype].clone();
  return {strip, strip.as_strided(shape, strides, offset)};
}

struct Case {
  const char* what;
  Shape shape;
  Strides to, from;
  std::int64_t to_offset, from_offset;
};

const std::vector<Case> cases = {
    {"one element", {}, {}, {}, 3, 5},
    {"nothing to walk", {1, 1}, {7, 5}, {3, 2}, 3, 5},
    {"one run", {1000}, {1}, {1}, 0, 0},
    {"one run, odd places", {997}, {1}, {1}, 1, 3},
    {"three elements", {3}, {1}, {1}, 4, 8},
    {"five elements, odd places", {5}, {1}, {1}, 5, 7},
    {"every other element", {301}, {2}, {3}, 1, 0},
    {"a row repeated", {7, 31}, {31, 1}, {0, 1}, 0, 2},
    {"an element repeated", {7, 31}, {31, 1}, {0, 0}, 16, 2},
    {"a matrix transposed", {37, 45}, {45, 1}, {1, 37}, 0, 0},
    {"one tile and a bit", {33, 32}, {32, 1}, {1, 33}, 2, 1},
    {"a narrow matrix transposed", {300, 3}, {3, 1}, {1, 300}, 0, 0},
    {"into a transpose", {20, 45}, {1, 20}, {45, 1}, 0, 0},
    {"a part of a transpose", {40, 33}, {50, 1}, {1, 60}, 5, 7},
    {"a batch of transposes", {3, 17, 34}, {17 * 34, 34, 1}, {17 * 34, 1, 17}, 0, 0},
    {"two batches", {2, 3, 9, 10}, {270, 90, 10, 1}, {100, 300, 1, 9}, 1, 3},
    {"heads of attention", {2, 5, 3, 16}, {240, 48, 16, 1}, {240, 16, 80, 1}, 0, 0},
    {"the same, odd places", {2, 5, 3, 16}, {240, 48, 16, 1}, {240, 16, 80, 1}, 3, 1},
    {"rows of eight", {30, 8}, {16, 1}, {24, 1}, 8, 16},
    {"rows of seven", {30, 7}, {8, 1}, {8, 1}, 0, 0},
    {"four dimensions", {3, 4, 5, 6}, {1, 3, 12, 60}, {120, 30, 6, 1}, 0, 0},
    {"none", {0, 5}, {5, 1}, {5, 1}, 0, 0},
};

TEST(CudaCopy, IsTheCpusForEveryDtypeAndLayout) {
  int launches = 0;
  for (const Case& c : cases)
    for (const DType to : all_dtypes)
      for (const DType from : all_dtypes) {
        SCOPED_TRACE(fmt::format("{}: {} to {}", c.what, name(from), name(to)));
        const Placed source = placed(from, c.shape, c.from, c.from_offset);
        const Placed want = placed(to, c.shape, c.to, c.to_offset);
        const Placed got = placed(to, c.shape, c.to, c.to_offset);
        if (source.view.numel() == 0) continue;
        cpu::copy(want.view, source.view);
        copy_with(HostEngine{&launches}, got.view, source.view);
        ASSERT_EQ(difference(got.strip, want.strip), "");
      }
  EXPECT_GT(launches, 1000);
}

TEST(CudaFill, IsTheCpusForEveryDtypeAndLayout) {
  int launches = 0;
  for (const Case& c : cases)
    for (const DType dtype : all_dtypes)
      for (const Scalar value : {Scalar(0), Scalar(1), Scalar(77)})
        for (const std::int64_t shift : {0, 1, 2, 3, 5}) {
          SCOPED_TRACE(fmt::format("{} {} at {}", c.what, name(dtype), c.to_offset + shift));
          const Placed want = placed(dtype, c.shape, c.to, c.to_offset + shift);
          const Placed got = placed(dtype, c.shape, c.to, c.to_offset + shift);
          if (want.view.numel() == 0) continue;
          cpu::fill(want.view, value);
          alignas(8) std::byte element[8];
          store_number(value, dtype, element);
          fill_with(HostEngine{&launches}, got.view, element);
          ASSERT_EQ(difference(got.strip, want.strip), "");
        }
  EXPECT_GT(launches, 500);
}

// Special numbers through the packets of conversions: rounding, infinities, NaN.
TEST(CudaCopy, ConvertsEverySixteenBitNumberAsTheCpu) {
  Tensor codes = empty({65536}, {.dtype = DType::uint16});
  for (int i = 0; i < 65536; ++i) codes.data<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
  for (const DType from : {DType::bf16, DType::fp16}) {
    const Tensor x = empty({65536}, {.dtype = from});
    std::memcpy(x.raw_data(), codes.raw_data(), 65536 * 2);
    const Tensor wide = x.to(DType::fp32);
    const Tensor near = wide * (1 + 0x1p-9);  // between the numbers of a 16-bit format
    for (const DType to : {DType::fp32, DType::bf16, DType::fp16}) {
      int launches = 0;
      for (const Tensor& source : {x, wide, near}) {
        const Tensor got = empty({65536}, {.dtype = to});
        copy_with(HostEngine{&launches}, got, source);
        EXPECT_EQ(difference(got, source.to(to)), "") << name(from) << " to " << name(to);
      }
    }
  }
}

// FP8 both ways, with either rule for overflow, through packets (65536 in a row) and one by one.
TEST(CudaCopy, Fp8AndOverflowsAreTheCpus) {
  const Tensor codes = empty({256}, {.dtype = DType::e4m3fn}),
               others = empty({256}, {.dtype = DType::e5m2});
  for (int i = 0; i < 256; ++i)
    for (const Tensor& x : {codes, others})
      static_cast<std::uint8_t*>(x.raw_data())[i] = static_cast<std::uint8_t>(i);
  Tensor wide = empty({4096});
  for (std::int64_t i = 0; i < 4096; ++i)
    wide.data<float>()[i] = std::bit_cast<float>(static_cast<std::uint32_t>(i * 1048573));
  int launches = 0;
  for (const Tensor& x : {codes, others, wide, wide.to(DType::bf16), wide.to(DType::fp16),
                          wide.to(DType::fp64), arange(70000, {.dtype = DType::int64})})
    for (const DType to : {DType::fp32, DType::bf16, DType::fp16, DType::e4m3fn, DType::e5m2})
      for (const Overflow overflow : {Overflow::saturate, Overflow::to_special})
        for (const Tensor& source : {x, x.slice(0, 1, x.size(0), 3), x.slice(0, 1)}) {
          if (x.dtype() == to) continue;
          const Tensor got = empty(source.shape(), {.dtype = to}), want = empty_like(got);
          copy_with(HostEngine{&launches}, got, source, overflow);
          cpu::copy(want, source, overflow);
          ASSERT_EQ(difference(got, want), "") << name(x.dtype()) << " to " << name(to);
        }
}

// Uninitialised memory may hold them.
TEST(CudaCopy, BytesThatAreNeither0Nor1AreTrue) {
  Tensor bytes = arange(6, {.dtype = DType::uint8});
  const Tensor truth = empty({6}, {.dtype = DType::boolean}), got = empty({6});
  std::memcpy(truth.raw_data(), bytes.raw_data(), 6);
  int launches = 0;
  copy_with(HostEngine{&launches}, got, truth);
  EXPECT_EQ(got.to_vector<int>(), (std::vector<int>{0, 1, 1, 1, 1, 1}));
}

// Which elements may be moved 16 bytes at a time.
TEST(CudaCopy, NeighboursAreMovedAsOneWhereEveryPlaceAllows) {
  // The source begins `offset` elements after an aligned place, the destination there; and the
  // other way round.
  const auto moved = [](const Shape& shape, const Strides& to, const Strides& from,
                        std::int64_t offset, DType dtype) {
    const Placed a = placed(dtype, shape, to, 0), b = placed(dtype, shape, from, offset);
    const Layout* layouts[] = {&a.view.layout(), &b.view.layout()};
    const void *at = a.view.raw_data(), *shifted = b.view.raw_data();
    const std::int64_t one = elements_moved_as_one(plan_walk(layouts), at, shifted, size_of(dtype));
    EXPECT_EQ(elements_moved_as_one(plan_walk(layouts), shifted, at, size_of(dtype)), one);
    return one;
  };
  EXPECT_EQ(moved({4, 16}, {16, 1}, {32, 1}, 0, DType::fp32), 4);
  EXPECT_EQ(moved({4, 16}, {16, 1}, {32, 1}, 0, DType::uint8), 16);
  EXPECT_EQ(moved({4, 16}, {16, 1}, {32, 1}, 2, DType::fp32), 2);   // starts 8 bytes in
  EXPECT_EQ(moved({4, 16}, {16, 1}, {30, 1}, 0, DType::fp32), 2);   // rows of 120 bytes
  EXPECT_EQ(moved({4, 15}, {16, 1}, {32, 1}, 0, DType::fp32), 1);   // rows of odd length
  EXPECT_EQ(moved({4, 16}, {16, 1}, {0, 1}, 0, DType::fp64), 2);    // a row repeated
  EXPECT_EQ(moved({4, 16}, {16, 1}, {1, 4}, 0, DType::uint16), 1);  // a column
}

}  // namespace
}  // namespace napkin::cuda
