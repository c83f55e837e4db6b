// Writing through views: what overlaps, what is refused, who is told. Results against PyTorch's are
// in elementwise_test.cpp and copy_test.cpp.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/core/observer.h"
#include "common/io/testing/temporary_folder.h"  // refusal
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"

namespace napkin {
namespace {

using io::refusal;

using Numbers = std::vector<std::int64_t>;

Numbers numbers(const Tensor& x) { return x.to_vector<std::int64_t>(); }

// Lecture 2.3: a view and its base are the same cells.
TEST(InPlace, ViewsWriteIntoTheirBase) {
  const Tensor x = arange(12).view({3, 4});
  x.select(1, 2).mul_(10);
  x[1].add_(100);
  x.t().slice(0, 0, 1).fill_(7);
  EXPECT_EQ(numbers(x), (Numbers{7, 1, 20, 3, 7, 105, 160, 107, 7, 9, 100, 11}));
}

TEST(InPlace, OverlappingOperandsAreReadBeforeAnythingIsWritten) {
  const Tensor square = arange(9).view({3, 3});
  square.clone().add_(square);
  Tensor x = square.clone();
  x.add_(x.t());
  EXPECT_EQ(numbers(x), numbers(square + square.t()));
  x = square.clone();
  x.slice(0, 0, 2).add_(x.slice(0, 1, 3));
  EXPECT_EQ(numbers(x), (Numbers{3, 5, 7, 9, 11, 13, 6, 7, 8}));
  x = square.clone();
  x.slice(0, 1, 3).sub_(x.slice(0, 0, 2));
  EXPECT_EQ(numbers(x), (Numbers{0, 1, 2, 3, 3, 3, 3, 3, 3}));
  x = square.clone();
  x.mul_(x[1]);
  EXPECT_EQ(numbers(x), numbers(square * square[1]));
  x = square.clone();
  x.addcmul_(x.t(), x, 2);
  EXPECT_EQ(numbers(x), numbers(square + square.t() * square * 2));
  x = square.clone();
  x.add_(x).mul_(x);
  EXPECT_EQ(numbers(x), numbers(square * square * 4));
}

TEST(InPlace, OverlappingCopiesAreRight) {
  const Tensor strip = arange(10);
  Tensor x = strip.clone();
  x.slice(0, 1).copy_(x.slice(0, 0, 9));
  EXPECT_EQ(numbers(x), (Numbers{0, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
  x = strip.clone();
  x.slice(0, 0, 9).copy_(x.slice(0, 1));
  EXPECT_EQ(numbers(x), (Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 9}));
  x = arange(9).view({3, 3});
  x.copy_(x.t());
  EXPECT_EQ(numbers(x), (Numbers{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  x.copy_(x[1]);
  EXPECT_EQ(numbers(x), (Numbers{1, 4, 7, 1, 4, 7, 1, 4, 7}));
}

// Trap: an operation in place on an expanded tensor applied itself once for each alias.
TEST(InPlace, ExpandedTensorsAreNotWritten) {
  const Tensor x = full({1}, 3);
  Tensor y = x.expand({3});
  const std::vector<std::string> sentences = {
      refusal([&] { y.mul_(2); }), refusal([&] { y.add_(x); }), refusal([&] { y.fill_(1); }),
      refusal([&] { y.zero_(); }), refusal([&] { y.copy_(zeros({3})); })};
  for (const std::string& sentence : sentences)
    EXPECT_NE(sentence.find("share one place in memory"), std::string::npos) << sentence;
  EXPECT_EQ(x.item().to_double(), 3);
  EXPECT_EQ(numbers(y * 2), (Numbers{6, 6, 6}));
  Tensor windows = arange(5).unfold(0, 3, 1);
  EXPECT_THROW(windows.add_(1), Error);
}

TEST(InPlace, SentencesNameTheOperationAndItsOperands) {
  const auto says = [](const std::string& sentence, const std::string& part) {
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  Tensor whole = arange(3), real = zeros({3}), flag = zeros({3}, {.dtype = DType::boolean});
  Tensor meta = zeros({3}, {.device = Device::meta});
  says(refusal([&] { whole.add_(0.5); }), "add_: a fp32 result cannot be written into a int64");
  says(refusal([&] { whole.div_(2); }), "div_");
  says(refusal([&] { flag.add_(whole); }), "bool");
  says(refusal([&] { real.add_(zeros({2, 3})); }), "[2, 3]");
  says(refusal([&] { add(real, zeros({4})); }), "[4]");
  says(refusal([&] { real.add_(meta); }), "meta");
  says(refusal([&] { real.copy_(meta); }), "meta");
  says(refusal([&] { sub(flag, flag); }), "sub of bool");
  says(refusal([&] { add(whole, whole, 0.5); }), "alpha = 0.5");
  says(refusal([&] { zeros({3}, {.dtype = DType::uint8}).fill_(300); }), "300 does not fit uint8");
  says(refusal([&] { zeros({3}, {.dtype = DType::fp16}).fill_(1e6); }), "1000000.0 does not fit");
  says(refusal([&] { whole.fill_(std::numeric_limits<double>::infinity()); }), "inf");
  says(refusal([&] { mul(Tensor(), real); }), "undefined");
  says(refusal([&] { gelu(whole); }), "gelu of int64");
  says(refusal([&] { neg(flag); }), "neg of bool");
  says(refusal([&] { clamp(real, {}); }), "neither a lower nor an upper bound");
  says(refusal([&] { clamp(zeros({3}, {.dtype = DType::uint8}), 300); }), "as large as 300");
  says(refusal([&] { whole.clamp_(0.5); }), "clamp_: a fp32 result");
  says(refusal([&] { addcmul(whole, whole, whole, 0.5); }), "value = 0.5");
  says(refusal([&] { lerp(real, real.to(DType::fp64), 0.5); }), "from fp32 to fp64");
  says(refusal([&] { lerp(real, real, real.to(DType::fp64)); }), "fp64 weights of fp32");
  says(refusal([&] { where(real, real, real); }), "a condition of fp32");
  says(refusal([&] { where(flag, zeros({3}, {.dtype = DType::uint8}), 300); }), "300");
}

// What fill_ takes and what it makes of it: PyTorch's rules.
TEST(InPlace, FillConverts) {
  const auto filled = [](DType dtype, Scalar value) {
    Tensor x = empty({3}, {.dtype = dtype});
    return x.fill_(value).at({1});
  };
  EXPECT_EQ(filled(DType::uint8, -1), Scalar(255));
  EXPECT_EQ(filled(DType::int32, 1.7), Scalar(1));
  EXPECT_EQ(filled(DType::int32, -1.7), Scalar(-1));
  EXPECT_EQ(filled(DType::boolean, 2), Scalar(true));
  EXPECT_EQ(filled(DType::bf16, 1 + 0x1p-8 + 0x1p-40), Scalar(1.0078125));  // rounded once
  EXPECT_EQ(filled(DType::int64, (std::int64_t{1} << 62) + 1), Scalar((std::int64_t{1} << 62) + 1));
  EXPECT_THROW(filled(DType::int64, 0x1p63), Error);
  EXPECT_EQ(filled(DType::int64, -0x1p63), Scalar(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(filled(DType::fp32, std::numeric_limits<double>::infinity()).to_double(),
            std::numeric_limits<double>::infinity());
  EXPECT_THROW(filled(DType::uint16, 65536), Error);
  EXPECT_THROW(filled(DType::uint16, -65536), Error);
}

struct Recorder : Observer {
  std::vector<OperationEvent> events;
  void on(const OperationEvent& e) override { events.push_back(e); }
};

TEST(InPlace, ObserversHearOfFlopsAndBytes) {
  Tensor x = zeros({10, 20}), y = zeros({20});
  Recorder heard;
  const Tensor z = add(x, y, 2);
  x.mul_(3);
  x.copy_(y);
  x.fill_(1);
  static_cast<void>(eq(x, y));
  static_cast<void>(exp(y));
  x.addcmul_(x, y);
  ASSERT_EQ(heard.events.size(), 7u);
  const auto expect = [&](std::size_t k, const char* name, double flops, std::int64_t read,
                          std::int64_t written) {
    EXPECT_STREQ(heard.events[k].name, name);
    EXPECT_EQ(heard.events[k].flops, flops) << name;
    EXPECT_EQ(heard.events[k].bytes_read, read) << name;
    EXPECT_EQ(heard.events[k].bytes_written, written) << name;
    EXPECT_EQ(heard.events[k].device, Device::cpu);
  };
  expect(0, "add", 400, 880, 800);
  expect(1, "mul", 200, 800, 800);
  expect(2, "copy", 0, 80, 800);
  expect(3, "fill", 0, 0, 800);
  expect(4, "eq", 0, 880, 200);
  expect(5, "exp", 20, 80, 80);
  expect(6, "addcmul", 600, 1680, 800);
}

TEST(InPlace, MetaTensorsHaveShapesAndEventsButNoData) {
  const Options meta = {.device = Device::meta};
  Tensor x = zeros({1 << 20, 1 << 20}, meta);
  const Tensor row = zeros({1 << 20}, {.dtype = DType::fp64, .device = Device::meta});
  Recorder heard;
  const Tensor y = x.t() + row;
  EXPECT_EQ(y.dtype(), DType::fp64);
  EXPECT_EQ(y.strides(), (Strides{1, 1 << 20}));
  EXPECT_EQ(y.allocated_bytes(), 0);
  x.add_(1).copy_(x.t());
  EXPECT_EQ(x.t().contiguous().device(), Device::meta);
  ASSERT_GE(heard.events.size(), 3u);
  EXPECT_EQ(heard.events[0].flops, 0x1p40);
  EXPECT_EQ(heard.events[0].bytes_read, (std::int64_t{4} << 40) + (8 << 20));
  EXPECT_EQ(heard.events[0].device, Device::meta);
}

TEST(InPlace, TheStorageCountsWrites) {
  Tensor x = zeros({4});
  const std::uint64_t before = x.storage()->version();
  x.slice(0, 0, 2).add_(1);
  x.fill_(2);
  EXPECT_EQ(x.storage()->version(), before + 2);
}

}  // namespace
}  // namespace napkin
