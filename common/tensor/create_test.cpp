// New tensors, and the plain numbers they are made from and read as.
#include "common/tensor/create.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/tensor/print.h"
#include "common/tensor/testing/recorded.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

// The distance of 1 to the next number.
double spacing(DType dtype) {
  switch (dtype) {
    case DType::fp64:
      return 0x1p-52;
    case DType::fp32:
      return 0x1p-23;
    case DType::fp16:
      return 0x1p-10;
    case DType::bf16:
      return 0x1p-7;
    default:
      return 0;
  }
}

// Ours are start + i step, rounded once; PyTorch's vector code adds up rounded parts, which costs
// it up to one spacing of the largest number on the way.
TEST(Create, ArangeCountsAsPyTorch) {
  int checked = 0;
  for (const recorded::Range& range : recorded::ranges()) {
    SCOPED_TRACE(fmt::format("{} from {} to {} by {}", name(range.dtype), to_string(range.start),
                             to_string(range.end), to_string(range.step)));
    const auto ours = [&] {
      return arange(range.start, range.end, range.step, {.dtype = range.dtype});
    };
    ++checked;
    if (!range.numbers) {
      expect_refused(ours, {"arange from"});
      continue;
    }
    const Tensor x = ours();
    ASSERT_EQ(x.numel(), std::ssize(*range.numbers));
    const double tolerance = spacing(range.dtype) * std::max(std::abs(range.start.to_double()),
                                                             std::abs(range.end.to_double()));
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      const Scalar want = (*range.numbers)[static_cast<std::size_t>(i)];
      if (is_floating(range.dtype))
        EXPECT_LE(std::abs(x.at({i}).to_double() - want.to_double()), tolerance) << i;
      else
        EXPECT_EQ(x.at({i}), want) << i;
    }
  }
  EXPECT_GT(checked, 90);
}

TEST(Create, ArangeRoundsOnce) {
  const Tensor x = arange(0.1, 100.0, 0.1, {.dtype = DType::bf16});
  for (std::int64_t i = 0; i < x.numel(); ++i)
    EXPECT_EQ(x.at({i}), Scalar(BFloat16(0.1 + static_cast<double>(i) * 0.1)));
}

TEST(Create, ArangeOfAnyDtypeAndDevice) {
  for (const DType dtype : all_dtypes) {
    if (dtype == DType::boolean) continue;
    EXPECT_EQ(arange(5, {.dtype = dtype}).to_vector<int>(), (std::vector<int>{0, 1, 2, 3, 4}));
    EXPECT_EQ(arange(5, {.dtype = dtype, .device = Device::meta}).shape(), (Shape{5}));
  }
  EXPECT_EQ(arange(smallest, largest, 1LL << 62).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{smallest, -(1LL << 62), 0, 1LL << 62}));
}

TEST(Create, ArangeRefusesWhatItCannotHold) {
  expect_refused([] { arange(0.0, 1.0, 0.1); }, {"0.1", "int64", "floating"});
  expect_refused([] { arange(2, {.dtype = DType::boolean}); }, {"bool"});
  expect_refused([] { arange(300, {.dtype = DType::uint8}); }, {"299", "uint8"});
  expect_refused([] { arange(-1, 5, 1, {.dtype = DType::uint16}); }, {"-1", "uint16"});
  expect_refused([] { arange(-5); }, {"-5", "away"});
  expect_refused([] { arange(smallest, largest, 1); }, {"18446744073709551615", "2^63 - 1"});
  expect_refused([] { arange(0, 1e30, 1, {.dtype = DType::fp32}); }, {"1e+30", "2^63 - 1"});
  expect_refused([] { arange(-1e308, 1e308, 1e-5, {.dtype = DType::fp64}); }, {"2^63 - 1"});
  expect_refused([] { arange((1LL << 62) + 1, 1LL << 62, 1); }, {"4611686018427387905", "away"});
}

TEST(Create, ConstantsOfEveryDtype) {
  for (const DType dtype : all_dtypes) {
    EXPECT_EQ(zeros({2, 2}, {.dtype = dtype}).to_vector<int>(), std::vector<int>(4, 0));
    EXPECT_EQ(ones({3}, {.dtype = dtype}).to_vector<int>(), std::vector<int>(3, 1));
    EXPECT_EQ(full({}, 1, {.dtype = dtype}).item().to_double(), 1);
    EXPECT_EQ(full({2}, true, {.dtype = dtype, .device = Device::meta}).dtype(), dtype);
  }
  EXPECT_EQ(full({2}, 0.5).to_vector<double>(), (std::vector<double>{0.5, 0.5}));
  EXPECT_TRUE(std::isnan(full({}, NAN).item().to_double()));
  expect_refused([] { full({2}, 300, {.dtype = DType::uint8}); }, {"300", "uint8"});
  EXPECT_EQ(scalar_tensor(2.5).dtype(), DType::fp32);
  EXPECT_EQ(scalar_tensor(2).dtype(), DType::int64);
  EXPECT_EQ(scalar_tensor(true).dtype(), DType::boolean);
  EXPECT_EQ(scalar_tensor(largest).item(), Scalar(largest));
}

TEST(Create, CategoriesReachTheStorage) {
  const Tensor x = zeros({3}, {.category = Category::parameter});
  EXPECT_EQ(x.storage()->category(), Category::parameter);
}

TEST(Create, DataOfAnotherCountIsRefused) {
  const std::vector<float> six(6, 1.5f);
  EXPECT_EQ(from_data(six, {2, 3}).to_vector<float>(), six);
  EXPECT_EQ(from_data(std::vector<float>{}, {0, 7}).shape(), (Shape{0, 7}));
  expect_refused([&] { from_data(six, {2, 2}); }, {"6 values", "[2, 2]", "4 elements"});
  expect_refused([&] { from_data(six, {-2, -3}); }, {"[-2, -3]", "negative"});
  expect_refused([&] { from_data(six, {1LL << 40, 1LL << 40}); }, {"2^63 - 1"});
}

TEST(Create, EmptyLikeKeepsTheOrderInMemory) {
  const Tensor x = arange(24).view({2, 3, 4}).permute({2, 0, 1});
  EXPECT_EQ(empty_like(x).strides(), x.strides());
  EXPECT_EQ(empty_like(x.slice(0, 0, 4, 2)).strides(), (Strides{1, 6, 2}));
  EXPECT_EQ(empty_like(x.slice(0, 0, 4, 2)).storage_bytes(), 12 * 8);
  EXPECT_EQ(empty_like(zeros({1}, {.device = Device::meta})).device(), Device::meta);
}

TEST(Scalar, NumbersCompareExactly) {
  EXPECT_EQ(Scalar(2), Scalar(2.0));
  EXPECT_EQ(Scalar(true), Scalar(1));
  EXPECT_EQ(Scalar(false), Scalar(-0.0));
  EXPECT_FALSE(Scalar((1LL << 53) + 1) == Scalar(0x1p53));
  EXPECT_FALSE(Scalar(largest) == Scalar(0x1p63));
  EXPECT_EQ(Scalar(smallest), Scalar(-0x1p63));
  EXPECT_FALSE(Scalar(NAN) == Scalar(NAN));
  EXPECT_FALSE(Scalar(NAN) == Scalar(0));
  EXPECT_EQ(Scalar(INFINITY), Scalar(INFINITY));
  EXPECT_EQ(Scalar(BFloat16(1.5)), Scalar(1.5f));
}

TEST(Scalar, OnlyWholeNumbersBecomeIntegers) {
  EXPECT_EQ(Scalar(-3.0).to_int64(), -3);
  EXPECT_EQ(Scalar(-0x1p63).to_int64(), smallest);
  expect_refused([] { Scalar(0.5).to_int64(); }, {"0.5"});
  expect_refused([] { Scalar(0x1p63).to_int64(); }, {"9.223372036854776e+18"});
  expect_refused([] { Scalar(NAN).to_int64(); }, {"nan"});
  expect_refused([] { Scalar(INFINITY).to_int64(); }, {"inf"});
  expect_refused([] { Scalar(std::uint64_t{1} << 63); }, {"9223372036854775808", "64-bit"});
  EXPECT_TRUE(Scalar(NAN).to_bool());
  EXPECT_FALSE(Scalar(-0.0).to_bool());
}

TEST(Scalar, TextIsPythons) {
  EXPECT_EQ(to_string(Scalar(true)), "True");
  EXPECT_EQ(to_string(Scalar(-3)), "-3");
  EXPECT_EQ(to_string(Scalar(-3.0)), "-3.0");
  EXPECT_EQ(to_string(Scalar(0.1)), "0.1");
  EXPECT_EQ(to_string(Scalar(1e20)), "1e+20");
  EXPECT_EQ(to_string(Scalar(-NAN)), "nan");
  EXPECT_EQ(to_string(Scalar(-INFINITY)), "-inf");
}

}  // namespace
}  // namespace napkin
