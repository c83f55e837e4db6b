// Tensors: what they say of themselves, single elements, and views that cost no memory.
#include "common/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "common/core/observer.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/testing/refused.h"

static std::int64_t allocations = 0;  // of this program, whatever their purpose

// Not inlined: g++ would take new and free for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace napkin {
namespace {

struct StoragesSeen : Observer {
  int count = 0;
  void on(const AllocationEvent&) override { ++count; }
};

// Lecture 2.3: rows, columns, slices and transposes are the same strip of memory.
TEST(Tensor, ViewsAllocateNothing) {
  const Tensor x = arange(120).view({2, 3, 4, 5});
  const StoragesSeen storages;
  const std::int64_t before = allocations;
  Tensor y = x.transpose(0, 2).slice(1, 0, 3, 2).unsqueeze(1).permute({4, 0, 1, 2, 3});
  y = y.select(0, -1).squeeze().unsqueeze(0).expand({7, 4, 2, 2}).unfold(0, 3, 2);
  const Strides windows = y.strides();
  y = x[1].flatten(1).t().squeeze(0).reshape({4, 5, 3});
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(storages.count, 0);
  EXPECT_EQ(windows, (Strides{0, 5, 40, 60, 0}));
  EXPECT_EQ(y.strides(), (Strides{5, 1, 20}));
  y = y.contiguous();
  EXPECT_GT(allocations, before) << "the count counts";
  EXPECT_EQ(storages.count, 1);
}

TEST(Tensor, AViewShowsAPartOfAStorage) {
  const Tensor x = zeros({1'000'000});
  const Tensor first = x.slice(0, 0, 1000);
  EXPECT_EQ(first.bytes(), 4000);
  EXPECT_EQ(first.storage_bytes(), 4'000'000);
  EXPECT_EQ(first.allocated_bytes(), 4'000'000);
  EXPECT_TRUE(first.shares_storage(x));
  EXPECT_FALSE(first.shares_storage(first.clone()));
  EXPECT_EQ(first.clone().storage_bytes(), 4000);
}

// Lecture 2.3, the first trap.
TEST(Tensor, WritingARowChangesTheMatrix) {
  const Tensor x = arange(12).view({3, 4});
  Tensor element = x[1][0];
  element.fill_(100);
  EXPECT_EQ(x.at({1, 0}), Scalar(100));
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{0, 1, 2, 3, 100, 5, 6, 7, 8, 9, 10, 11}));
}

// Lecture 2.3, the second trap.
TEST(Tensor, ATransposedMatrixIsNoLineUntilItIsCopied) {
  const Tensor x = arange(12).view({3, 4});
  expect_refused([&] { x.t().view({-1}); }, {"[12]", "[4, 3]", "[1, 4]", "reshape"});
  const Tensor line = x.t().reshape({-1});
  EXPECT_FALSE(line.shares_storage(x));
  EXPECT_EQ(line.to_vector<int>(), (std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
}

TEST(Tensor, AnExpandedTensorIsNotWritten) {
  const Tensor x = from_data<float>({3});
  Tensor y = x.expand({3});
  expect_refused([&] { y.fill_(0); }, {"[3]", "[0]", "share"});
  expect_refused([&] { y.mul_(2); }, {"[3]", "[0]", "share"});
  EXPECT_EQ(x.item(), Scalar(3.0));
  EXPECT_EQ(mul(y, 2).to_vector<float>(), (std::vector<float>{6, 6, 6}));
}

TEST(Tensor, AMetaTensorOfAnySizeHasAllViewsAndNoElements) {
  const Tensor x = empty({65536, 65536}, {.device = Device::meta});
  EXPECT_EQ(x.bytes(), 17'179'869'184);
  EXPECT_EQ(x.allocated_bytes(), 0);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Tensor bytes = zeros({7, 73, most / 511}, {.dtype = DType::uint8, .device = Device::meta});
  EXPECT_EQ(bytes.numel(), most);
  EXPECT_EQ(bytes.flatten().slice(0, -3).offset(), most - 3);
  EXPECT_EQ(bytes.permute({2, 0, 1}).reshape({-1}).shape(), (Shape{most}));
  EXPECT_EQ(bytes[6][72].select(0, -1).offset(), most - 1);
  expect_refused([&] { bytes.select(0, 7); }, {"index 7", "0 to 6"});
  expect_refused([&] { bytes.at({0, 0, 0}); }, {"meta", "no data"});
  expect_refused([&] { bytes[0][0][0].item(); }, {"meta", "no data"});
  expect_refused([&] { bytes.slice(2, 0, 1).to_vector<int>(); }, {"meta", "no data"});
  expect_refused([&] { bytes.data<std::uint8_t>(); }, {"meta", "no data"});
  expect_refused([&] { bytes.expand({2, 7, 73, most / 511}); }, {"2^63 - 1"});
}

TEST(Tensor, ImpossibleSizesAreRefusedOnEveryDevice) {
  for (const Device device : {Device::cpu, Device::meta}) {
    const Options fp32{.device = device};
    expect_refused([&] { empty({2, -1}, fp32); }, {"[2, -1]", "-1", "negative"});
    expect_refused([&] { empty({1LL << 32, 1LL << 31}, fp32); }, {"2^63 - 1"});
    expect_refused([&] { empty({1LL << 61}, fp32); }, {"2305843009213693952", "fp32", "bytes"});
    expect_refused([&] { zeros({0, 1LL << 62, 2}, fp32); }, {"2^63 - 1"});
    EXPECT_EQ(empty({1LL << 62, 0}, fp32).bytes(), 0);
  }
  expect_refused([] { (empty({1}).expand({1LL << 62}).bytes()); }, {"4611686018427387904"});
}

void expect_undefined(std::initializer_list<std::function<void()>> uses) {
  int n = 0;
  for (const auto& use : uses) {
    SCOPED_TRACE(++n);
    expect_refused(use, {"undefined"});
  }
}

TEST(Tensor, AnUndefinedTensorSaysNothingOfItself) {
  const Tensor x{};
  EXPECT_FALSE(x.defined());
  expect_undefined({[&] { x.shape(); },
                    [&] { x.strides(); },
                    [&] { x.offset(); },
                    [&] { x.rank(); },
                    [&] { x.size(0); },
                    [&] { x.stride(0); },
                    [&] { x.numel(); },
                    [&] { x.bytes(); },
                    [&] { x.storage_bytes(); },
                    [&] { x.dtype(); },
                    [&] { x.allocated_bytes(); },
                    [&] { x.device(); },
                    [&] { x.storage(); },
                    [&] { x.is_contiguous(); },
                    [&] { x.shares_storage(x); },
                    [&] { x.item(); },
                    [&] { x.at({}); },
                    [&] { x.to_vector<float>(); },
                    [&] { x.data<float>(); },
                    [&] { x.raw_data(); },
                    [&] { empty_like(x); }});
  expect_refused([] { Tensor(nullptr, DType::fp32, {{2}, {1}}); }, {"[2]", "storage"});
}

TEST(Tensor, AnUndefinedTensorHasNoViewsAndNoCopies) {
  Tensor x;
  expect_undefined({[&] { x.view({1}); },
                    [&] { x.transpose(0, 0); },
                    [&] { x.t(); },
                    [&] { x.permute({}); },
                    [&] { x.select(0, 0); },
                    [&] { x.slice(0, 0); },
                    [&] { x.expand({1}); },
                    [&] { x.unsqueeze(0); },
                    [&] { x.squeeze(); },
                    [&] { x.squeeze(0); },
                    [&] { x.unfold(0, 1, 1); },
                    [&] { x.as_strided({}, {}, 0); },
                    [&] { x.reshape({1}); },
                    [&] { x.flatten(); },
                    [&] { x.contiguous(); },
                    [&] { x.clone(); },
                    [&] { x.to(DType::fp32); },
                    [&] { x.to(Device::meta); },
                    [&] { x.fill_(1); },
                    [&] { x.copy_(zeros({1})); },
                    [&] { x.add_(1); },
                    [&] { zeros({1}).copy_(x); },
                    [&] { add(x, 1); }});
}

TEST(Tensor, ATensorStaysInsideItsStorage) {
  const StoragePointer storage = arange(6).storage();
  EXPECT_EQ(Tensor(storage, DType::int64, {{2, 3}, {3, 1}}).at({1, 2}), Scalar(5));
  expect_refused(
      [&] {
        Tensor(storage, DType::int64, {{2, 3}, {3, 1}, 1});
      },
      {"position 6", "6 elements"});
  expect_refused([&] { Tensor(storage, DType::int64, {{2}, {-1}, 1}); }, {"negative"});
  const Tensor halves(storage, DType::int32, {{12}, {1}});  // the same bytes as smaller elements
  EXPECT_EQ(halves.numel(), 12);
  const Tensor nothing = arange(6).as_strided({0}, {1}, 1LL << 40);
  EXPECT_EQ(nothing.to_vector<int>(), std::vector<int>{});
  EXPECT_EQ(nothing.raw_data(), nothing.storage()->data());
}

TEST(Tensor, ElementsAreReadAsNumbers) {
  const Tensor x = from_data<double>({0.5, -2, 300});
  EXPECT_EQ(x.at({-1}), Scalar(300));
  EXPECT_EQ(x[0].item(), Scalar(0.5));
  expect_refused([&] { x.item(); }, {"[3]", "has 3"});
  expect_refused([] { empty({0}).item(); }, {"[0]", "has 0"});
  expect_refused([&] { x.at({3}); }, {"index 3", "0 to 2"});
  expect_refused([&] { x.data<float>(); }, {"fp64", "fp32"});
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{0, -2, 300}));
  EXPECT_EQ(x.to_vector<bool>(), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(x.to_vector<BFloat16>()[2], BFloat16(300.0));
  for (const DType dtype : all_dtypes) {
    const Tensor y = from_data<int>({0, 1, 1, 0}).to(dtype).view({2, 2}).t();
    EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{0, 1, 1, 0})) << name(dtype);
    EXPECT_EQ(y.at({0, 1}).to_double(), 1) << name(dtype);
    EXPECT_EQ(y.at({0, 1}).is_floating(), is_floating(dtype));
  }
  const std::int64_t odd = (1LL << 53) + 1;  // no double
  EXPECT_EQ(from_data<std::int64_t>({odd}).to_vector<std::int64_t>()[0], odd);
}

TEST(Tensor, SizesAndStridesAreAskedFromBothEnds) {
  const Tensor x = empty({2, 3});
  EXPECT_EQ(x.size(-1), 3);
  EXPECT_EQ(x.stride(0), 3);
  expect_refused([&] { x.size(2); }, {"dimension 2", "0 to 1"});
  expect_refused([&] { x.stride(-3); }, {"dimension -3"});
  expect_refused([] { empty({}).size(0); }, {"0-dimensional"});
  expect_refused([] { empty({}).stride(-1); }, {"0-dimensional"});
  expect_refused([] { empty({1, 2, 3}).t(); }, {"[1, 2, 3]", "2 dimensions"});
}

TEST(Tensor, MoreElementsThanMemoryAreRefused) {
  const Tensor x = ones({1}).expand({std::int64_t{1} << 61});
  EXPECT_THROW(x.to_vector<float>(), Error);
}

// A stride that no step is ever taken along may be as large as it likes.
TEST(Tensor, HugeStridesOfSingleElementsDoNoHarm) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Tensor x = arange(6, {.dtype = DType::fp32}).view({2, 3}).slice(1, 1, most, most);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 4}));
  EXPECT_EQ(x.to(DType::fp64).to_vector<double>(), (std::vector<double>{1, 4}));
  EXPECT_EQ((x * 2).to_vector<float>(), (std::vector<float>{2, 8}));
}

}  // namespace
}  // namespace napkin
