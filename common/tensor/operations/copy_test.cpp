// Copies between layouts and dtypes: against PyTorch's where it rounds and ranges as C++ does
// (reference/elementwise.py), by exact arithmetic elsewhere, and against plain index arithmetic.
#include "common/tensor/operations/copy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "common/core/parallel.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;

TEST(Copy, ConversionsArePyTorchs) {
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const recorded::Verdict verdict = recorded::compare(
        "elementwise",
        {{"to", [](const Case& c) { return c.tensor(0).to(dtype_named(c.get<std::string>(1))); }},
         {"copy_", [](const Case& c) { return Tensor(c.tensor(0)).copy_(c.tensor(1)); }}});
    EXPECT_EQ(verdict.wrong, std::vector<std::string>()) << level;
    EXPECT_EQ(verdict.checked, 81 * 5);
  }
}

// Undefined in C++, different on every machine in PyTorch: cut to the range, NaN becomes 0.
TEST(Copy, NumbersOutOfRangeBecomeTheNearestInteger) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Tensor x = from_data<double>(
      {-inf, -1e30, -0x1p63, -300.9, -0.9, 254.9, 65535.5, 0x1p31, 0x1p63, 1e30, inf, nan});
  using Numbers = std::vector<std::int64_t>;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
  const Numbers as_int64 = {least, least,     least, -300, 0,    254,
                            65535, 1LL << 31, most,  most, most, 0};
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (const DType source : {DType::fp64, DType::fp32}) {
      const Tensor y = x.to(source);
      EXPECT_EQ(y.to(DType::int64).to_vector<std::int64_t>(), as_int64);
      for (const DType narrow : {DType::int32, DType::uint16, DType::uint8}) {
        const std::int64_t high = narrow == DType::int32    ? 2147483647
                                  : narrow == DType::uint16 ? 65535
                                                            : 255;
        const std::int64_t low = narrow == DType::int32 ? -high - 1 : 0;
        Numbers cut = as_int64;
        for (std::int64_t& n : cut) n = std::clamp(n, low, high);
        EXPECT_EQ(y.to(narrow).to_vector<std::int64_t>(), cut) << name(narrow);
      }
    }
    const Tensor truth = x.to(DType::boolean);
    EXPECT_EQ(truth.to_vector<std::int64_t>(), (Numbers{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  }
}

// Trap: double narrowed to float first, then to the small format.
TEST(Copy, EveryConversionRoundsOnce) {
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const auto rounded = [](auto value, DType to) {
      return full({3}, value, {.dtype = dtype_of<decltype(value)>}).to(to).at({2}).to_double();
    };
    EXPECT_EQ(rounded(1 + 0x1p-8 + 0x1p-40, DType::bf16), 1.0078125);
    EXPECT_EQ(rounded(1 + 0x1p-11 + 0x1p-40, DType::fp16), 1.0009765625);
    EXPECT_EQ(rounded(std::int64_t{16973823}, DType::bf16), 16908288);
    EXPECT_EQ(rounded(std::int32_t{16973823}, DType::bf16), 16908288);
    // 1.00000001 (binary) x 2^62 is a tie; one more decides, whatever 53 bits of it say.
    EXPECT_EQ(rounded((std::int64_t{257} << 54) + 1, DType::bf16), 0x1.02p62);
    EXPECT_EQ(rounded(std::int64_t{257} << 54, DType::bf16), 0x1p62);
    EXPECT_EQ(rounded(-(std::int64_t{257} << 54) - 1, DType::bf16), -0x1.02p62);
    EXPECT_EQ(rounded((std::int64_t{1} << 24) + 1, DType::fp32), 0x1p24);
    EXPECT_EQ(rounded((std::int64_t{1} << 54) + 3, DType::fp64), 0x1p54 + 4);
    EXPECT_EQ(rounded(std::numeric_limits<std::int64_t>::max(), DType::fp16), INFINITY);
  }
}

// 0 ... n - 1
std::int64_t draw(std::mt19937& engine, std::int64_t n) {
  return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n));
}

// A view of a new tensor: dimensions in any order in memory, gaps between them, random bytes.
Tensor random_view(std::mt19937& engine, DType dtype, const Shape& shape) {
  Dims order;
  for (int d = 0; d < shape.size(); ++d)
    order.insert(static_cast<int>(draw(engine, order.size() + 1)), d);
  Strides strides(shape.size(), 0);
  std::int64_t step = 1 + draw(engine, 2);
  for (const std::int64_t d : order) {
    strides[static_cast<int>(d)] = step;
    step = step * shape[static_cast<int>(d)] + draw(engine, 3);
  }
  const std::int64_t offset = draw(engine, 20);
  const Tensor storage = empty({step + offset + 5}, {.dtype = dtype});
  auto* bytes = static_cast<std::uint8_t*>(storage.raw_data());
  for (std::int64_t i = 0; i < storage.bytes(); ++i)
    bytes[i] = static_cast<std::uint8_t>(draw(engine, dtype == DType::boolean ? 2 : 256));
  return storage.as_strided(shape, strides, offset);
}

Tensor strip(const Tensor& x) {
  return x.as_strided({x.storage_bytes() / size_of(x.dtype())}, {1}, 0);
}

// Copies bytes one element after the other.
void copy_plainly(const Tensor& to, const Tensor& from) {
  const std::int64_t size = size_of(to.dtype());
  std::byte* t = to.storage()->data();
  const std::byte* f = from.storage()->data();
  Dims index(to.rank(), 0);
  for (std::int64_t n = 0; n < to.numel(); ++n) {
    std::int64_t rest = n;
    for (int d = to.rank() - 1; d >= 0; --d) {
      index[d] = rest % to.shape()[d];
      rest /= to.shape()[d];
    }
    std::copy_n(f + position(from.layout(), index) * size, size,
                t + position(to.layout(), index) * size);
  }
}

// Whole storages are compared, so that nothing beside the view may change.
TEST(Copy, AnyLayoutToAnyOther) {
  std::mt19937 engine(7);
  const Shape shapes[] = {{},         {1},        {37},        {0, 3},         {3, 5},
                          {64, 64},   {65, 130},  {33, 1, 17}, {3, 40, 5, 33}, {200, 3},
                          {3, 200},   {128, 256}, {2, 70, 70}, {7, 2, 3, 2},   {1, 19, 1, 40},
                          {16, 16, 9}};
  const int before = threads();
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (const Shape& shape : shapes)
      for (const DType dtype :
           {DType::fp64, DType::fp32, DType::bf16, DType::uint8, DType::boolean})
        for (int round = 0; round < 4; ++round) {
          set_threads(1 + round % 3);
          const Tensor from = random_view(engine, dtype, shape);
          Tensor to = random_view(engine, dtype, shape);
          const Tensor want_storage = strip(to).clone();
          copy_plainly(want_storage.as_strided(shape, to.strides(), to.offset()), from);
          to.copy_(from);
          ASSERT_EQ(difference(strip(to), want_storage), "")
              << level << ": " << name(dtype) << " " << to_string(shape) << " from strides "
              << to_string(from.strides()) << " to " << to_string(to.strides());
        }
  }
  set_threads(before);
}

// Results of 32 MiB and more go past the caches; aligned rows, odd rows, odd beginnings.
TEST(Copy, LargeTransposedCopies) {
  const int before = threads();
  for (const auto& [rows, columns, offset] :
       {std::tuple{3072, 3072, 0}, {3001, 2999, 0}, {3072, 3072, 3}, {9000, 1024, 16}}) {
    const std::int64_t elements = std::int64_t{rows} * columns;
    const Tensor x = arange(elements + offset, {.dtype = DType::int32})
                         .as_strided({rows, columns}, {columns, 1}, offset);
    for (const int team : {1, 2}) {
      set_threads(team);
      const Tensor y = empty({elements + offset}, {.dtype = DType::int32})
                           .as_strided({columns, rows}, {rows, 1}, offset);
      Tensor(y).copy_(x.t());
      const std::int32_t* got = y.data<std::int32_t>();
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
          ASSERT_EQ(got[c * rows + r], static_cast<std::int32_t>(r * columns + c + offset))
              << r << ", " << c;
    }
  }
  set_threads(before);
}

// Heads, and images to patches, as large as copies in pieces go past the caches.
TEST(Copy, LargeCopiesInPieces) {
  const Tensor heads = arange(8 * 401 * 16 * 64, {.dtype = DType::int32}).view({8, 401, 16, 64});
  const Tensor images = arange(17 * 3 * 256 * 256, {.dtype = DType::int32});
  for (const Tensor& x :
       {heads.transpose(1, 2), images.view({17, 3, 32, 8, 32, 8}).permute({0, 2, 4, 3, 5, 1})}) {
    const Tensor got = x.contiguous(), want = zeros(x.shape(), {.dtype = DType::int32});
    copy_plainly(want, x);
    EXPECT_EQ(difference(got, want), "") << to_string(x.shape());
  }
}

// Every row has the same elements, so that all must be equal to the first, converted alone.
TEST(Copy, LargeWidenedCopies) {
  for (const DType dtype : {DType::e4m3fn, DType::e5m2, DType::fp16, DType::bf16}) {
    const Tensor row = arange(256, {.dtype = DType::fp32}).to(dtype), want = row.to(DType::fp32);
    const Tensor x = row.expand({1 << 15, 256}).contiguous();
    for (const Tensor& view : {x, x.flatten().slice(0, 256), x.t().contiguous().t()}) {
      const Tensor got = view.to(DType::fp32).contiguous();
      const float *g = got.data<float>(), *w = want.data<float>();
      for (std::int64_t i = 0; i < got.numel(); i += 256)
        ASSERT_TRUE(std::equal(w, w + 256, g + i)) << name(dtype) << " " << i;
    }
  }
}

TEST(Copy, ClonesAndContiguousOnesAreNewTensors) {
  const Tensor x = arange(12).view({3, 4});
  EXPECT_TRUE(x.contiguous().shares_storage(x));
  EXPECT_FALSE(x.t().contiguous().shares_storage(x));
  EXPECT_FALSE(x.clone().shares_storage(x));
  EXPECT_EQ(x.t().clone().strides(), (Strides{1, 4}));
  EXPECT_EQ(x.t().contiguous().strides(), (Strides{3, 1}));
  EXPECT_TRUE(x.to(DType::int64).shares_storage(x));
  EXPECT_EQ(x.t().to(DType::fp32).strides(), (Strides{1, 4}));
  EXPECT_EQ(x.to(Device::meta).allocated_bytes(), 0);
  EXPECT_THROW(x.to(Device::meta).to(Device::cpu), Error);
  EXPECT_THROW(x.to(Device::cuda), Error);
  EXPECT_EQ(x[0].expand({2, 4}).contiguous().to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(Copy, StretchesOfMemoryMeetOrNot) {
  const Tensor x = arange(10);
  EXPECT_TRUE(may_share_memory(x.slice(0, 0, 5), x.slice(0, 4)));
  EXPECT_FALSE(may_share_memory(x.slice(0, 0, 5), x.slice(0, 5)));
  EXPECT_TRUE(may_share_memory(x.slice(0, 0, 10, 2), x.slice(0, 1, 10, 2)));  // interleaved
  EXPECT_FALSE(may_share_memory(x, x.clone()));
  EXPECT_FALSE(may_share_memory(x.slice(0, 3, 3), x));
}

}  // namespace
}  // namespace napkin
