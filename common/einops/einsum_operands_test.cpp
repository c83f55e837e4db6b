// What einsum takes: one dtype, one device, and Autocast scopes as PyTorch has them.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/core/observer.h"
#include "common/core/warning.h"
#include "common/einops/einsum.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/autocast.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/matmul.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/testing/recorded_autocast.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

// Patterns that end in a matrix product, a multiplication, a sum before it, three operands.
constexpr const char* two_operands[] = {"i k, k j -> i j", "i j, i j -> i j", "i j, k l -> i k",
                                        "i j, k l ->", "i j, k l -> i j k l"};

constexpr std::string_view sums_alone[] = {"i j, k l -> i k", "i j, k l ->"};

struct Operations : Observer {
  int count = 0;
  void on(const OperationEvent&) override { ++count; }
};

Tensor two_by_two(DType dtype, Device device = Device::cpu) {
  return empty({2, 2}, {.dtype = dtype, .device = device});
}

TEST(EinsumOperands, HaveOneDType) {
  const WarningsTo nobody({});
  const Tensor x = ones({2, 2}), low = x.to(DType::bf16), whole = x.to(DType::int64);
  const Operations operations;
  for (const char* pattern : two_operands) {
    expect_refused([&] { einsum(x, low, pattern); },
                   {pattern, "operand 1 is fp32, operand 2 is bf16"});
    expect_refused([&] { einsum(whole, x, pattern); },
                   {pattern, "operand 1 is int64, operand 2 is fp32"});
  }
  expect_refused([&] { einsum(x, x, low, "i j, j k, k l -> i l"); },
                 {"i j, j k, k l -> i l", "operand 1 is fp32, operand 3 is bf16"});
  EXPECT_EQ(operations.count, 0);
}

TEST(EinsumOperands, AreOnOneDevice) {
  const WarningsTo nobody({});
  const Tensor x = ones({2, 2}), shape_only = two_by_two(DType::fp32, Device::meta);
  const Operations operations;
  for (const char* pattern : two_operands)
    expect_refused([&] { einsum(x, shape_only, pattern); },
                   {pattern, "operand 1 is on cpu, operand 2 on meta"});
  EXPECT_EQ(operations.count, 0);
}

// As matmul: what that does not take is not multiplied here either, whatever the pattern.
TEST(EinsumOperands, AreOfDTypesThatMatmulTakes) {
  const WarningsTo nobody({});
  for (const DType dtype : all_dtypes) {
    const Tensor x = two_by_two(dtype).zero_();
    for (const char* pattern : two_operands) {
      if (is_defined(Op::matmul, dtype, Device::cpu)) {
        const bool alone = std::ranges::count(sums_alone, pattern) > 0;
        EXPECT_EQ(einsum(x, x, pattern).dtype(),
                  alone && !is_floating(dtype) ? DType::int64 : dtype)
            << pattern;
      } else {
        expect_refused([&] { einsum(x, x, pattern); },
                       {pattern, "matmul of ", name(dtype).data(), "fp32"});
      }
    }
    EXPECT_EQ(einsum(x, "i j -> j i").dtype(), dtype);
    if (is_defined(Op::sum, dtype, Device::cpu)) {
      EXPECT_EQ(einsum(x, "i j -> i").dtype(), sum(x).dtype());
    } else {
      expect_refused([&] { einsum(x, "i j -> i"); }, {"i j -> i", "sum of ", name(dtype).data()});
    }
  }
}

TEST(EinsumOperands, IntegersAreExactModuloTheirSize) {
  const WarningsTo nobody({});
  const auto of = [](DType dtype, std::vector<double> v) { return from_data(v, {2, 2}).to(dtype); };
  const Tensor x = of(DType::int32, {1, 2, 3, 4});
  const Tensor small = of(DType::uint8, {200, 100, 30, 40}), one = of(DType::uint8, {1, 1, 1, 1});
  const Tensor got = einsum(small, one, "i j, j k -> i k");
  EXPECT_EQ(got.dtype(), DType::uint8);
  EXPECT_EQ(got.to_vector<double>(), (std::vector<double>{44, 44, 70, 70}));  // 200 + 100 - 256
}

// Against a product of what was int64 before; where PyTorch answers it is recorded (einsum_test).
TEST(EinsumOperands, IntegersThatAreSummedAloneAreInt64) {
  const WarningsTo nobody({});
  for (const DType dtype : {DType::uint8, DType::uint16, DType::int32, DType::int64}) {
    const double most = dtype == DType::uint8 ? 255 : dtype == DType::uint16 ? 65535 : 2e9;
    const Tensor x = full({2, 3}, most, {.dtype = dtype}), y = full({2, 2}, 3, {.dtype = dtype});
    const Tensor wide = x.to(DType::int64), wide_y = y.to(DType::int64);
    for (const char* pattern : {"a b, a c -> c", "a b, c d -> a d", "b a, c d ->", "a b, c d -> a"})
      EXPECT_TRUE(equal(einsum(x, y, pattern), einsum(wide, wide_y, pattern))) << name(dtype);
    EXPECT_EQ(einsum(x, y, "a b, a c -> c").dtype(), DType::int64);
    EXPECT_EQ(einsum(y, x, x, "i j, j k, l k -> i l").dtype(), dtype);
    EXPECT_EQ(einsum(y, x, x, "i j, m k, l k -> i l").dtype(), DType::int64);
    // A sum over one element changes nothing.
    EXPECT_EQ(einsum(x, y.slice(1, 0, 1), "a b, a c -> b").dtype(), dtype);
  }
}

TEST(EinsumAutocast, GivesPyTorchsDTypesOnBothDevices) {
  const WarningsTo nobody({});
  int checked = 0;
  for (const RecordedAutocast& r : recorded_autocast("autocast_einsum")) {
    const std::string& pattern = r.operation;
    const std::string left = pattern.substr(0, pattern.find("->"));
    std::vector<Shape> shapes(1);
    for (const char c : left)
      c == ',' ? void(shapes.emplace_back()) : c == ' ' ? void() : shapes.back().push_back(2);
    for (const Device device : {Device::cpu, Device::meta}) {
      if (r.device == Device::cuda && device == Device::cpu) continue;
      std::vector<Tensor> operands;
      for (const Shape& shape : shapes)
        operands.push_back(
            empty(shape, {.dtype = operands.empty() ? r.first : r.others, .device = device}));
      const Autocast scope(r.device, r.low);
      ASSERT_TRUE(r.result.has_value());
      EXPECT_EQ(name(einsum(operands, pattern).dtype()), name(*r.result))
          << pattern << " of " << name(r.first) << " and " << name(r.others) << " on "
          << name(r.device) << ", autocast to " << name(r.low);
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(EinsumAutocast, ValuesAreThoseOfMatmul) {
  const Tensor a = arange(12).view({3, 4}).to(DType::fp32) / 7, b = a.reshape({4, 3}) * 3;
  const Tensor outer = einsum(a, b[0], "i j, k -> i j k");
  const Autocast scope(Device::cpu, DType::bf16);
  EXPECT_TRUE(equal(einsum(a, b, "i k, k j -> i j"), matmul(a, b)));
  EXPECT_TRUE(
      equal(einsum(a.to(DType::fp16), b, "i k, k j -> j i"), matmul(a.to(DType::fp16), b).t()));
  EXPECT_TRUE(equal(einsum(a, b[0], "i j, k -> i j k"), outer));
  EXPECT_EQ(newest_autocast, &scope);
}

TEST(EinsumAutocast, OtherDTypesAreRefusedThereToo) {
  const Tensor x = ones({2, 2}), wide = x.to(DType::fp64);
  const Autocast scope(Device::cpu, DType::bf16);
  for (const char* pattern : {"i k, k j -> i j", "i j, i j -> i j"})
    expect_refused([&] { einsum(wide, x, pattern); },
                   {pattern, "operand 1 is fp64, operand 2 is fp32"});
  const Autocast off(Device::cpu, DType::bf16, false);
  expect_refused([&] { einsum(x, x.to(DType::bf16), "i k, k j -> i j"); }, {"fp32", "bf16"});
}

}  // namespace
}  // namespace napkin
