// Tensors of e4m3fn and e5m2: as PyTorch has them (reference/fp8.py), and by exact arithmetic where
// it goes through float.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "common/io/testing/temporary_folder.h"
#include "common/numeric/format_info.h"
#include "common/tensor/cpu/copy/convert_loops.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/file.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/join.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"
#include "common/tensor/operations/sort.h"
#include "common/tensor/print.h"
#include "common/tensor/random/random.h"
#include "common/tensor/testing/recorded_cases.h"
#include "common/tensor/testing/refused.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::difference;
using recorded::Results;

constexpr DType fp8[] = {DType::e4m3fn, DType::e5m2};
constexpr double infinity = std::numeric_limits<double>::infinity();

Format format_of(DType dtype) {
  if (dtype == DType::bf16) return formats::bf16;
  if (dtype == DType::fp16) return formats::fp16;
  return dtype == DType::e4m3fn ? formats::e4m3fn : formats::e5m2;
}

// The tensor whose bytes are these codes, one after the other.
Tensor all_codes(DType dtype) {
  const Tensor x = empty({256}, {.dtype = dtype});
  for (int code = 0; code < 256; ++code)
    static_cast<std::uint8_t*>(x.raw_data())[code] = static_cast<std::uint8_t>(code);
  return x;
}

std::uint8_t code_at(const Tensor& x, std::int64_t i) {
  return static_cast<const std::uint8_t*>(x.contiguous().raw_data())[i];
}

Results compared(const Case& c, Tensor (*tensors)(const Tensor&, const Tensor&),
                 Tensor (*number)(const Tensor&, Scalar)) {
  return c.is<Tensor>(1) ? tensors(c.tensor(0), c.tensor(1)) : number(c.tensor(0), c.number(1));
}

TEST(Fp8, WhatMovesAndComparesElementsIsPyTorchs) {
  const recorded::Operations operations = {
      {"to", [](const Case& c) { return c.tensor(0).to(dtype_named(c.get<std::string>(1))); }},
      {"copy_", [](const Case& c) { return Tensor(c.tensor(0)).copy_(c.tensor(1)); }},
      {"fill_", [](const Case& c) { return Tensor(c.tensor(0)).fill_(c.number(1)); }},
      {"full",
       [](const Case& c) {
         return full({2}, c.number(0), {.dtype = dtype_named(c.get<std::string>(1))});
       }},
      {"eq", [](const Case& c) { return compared(c, eq, eq); }},
      {"ne", [](const Case& c) { return compared(c, ne, ne); }},
      {"abs", [](const Case& c) { return abs(c.tensor(0)); }},
      {"where", [](const Case& c) { return where(c.tensor(0), c.tensor(1), c.tensor(2)); }},
      {"cat", [](const Case& c) { return cat(c.get<std::vector<Tensor>>(0), c.integer(1)); }},
      {"stack", [](const Case& c) { return stack(c.get<std::vector<Tensor>>(0), c.integer(1)); }},
      {"index_select",
       [](const Case& c) { return index_select(c.tensor(0), c.integer(1), c.tensor(2)); }}};
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const recorded::Verdict verdict = recorded::compare("fp8", operations);
    EXPECT_EQ(verdict.wrong, std::vector<std::string>()) << level;
    EXPECT_EQ(verdict.checked, 902);
  }
}

void expect_refused_as_recorded(const recorded::Operations& operations, int cases) {
  const recorded::Verdict verdict = recorded::compare("fp8", operations);
  EXPECT_EQ(verdict.wrong, std::vector<std::string>());
  EXPECT_EQ(verdict.checked, cases);
}

TEST(Fp8, ElementwiseArithmeticIsRefusedAsInPyTorch) {
  const recorded::Operations operations = {
      {"add", [](const Case& c) { return add(c.tensor(0), c.tensor(1)); }},
      {"sub", [](const Case& c) { return sub(c.tensor(0), c.tensor(1)); }},
      {"div", [](const Case& c) { return div(c.tensor(0), c.tensor(1)); }},
      {"neg", [](const Case& c) { return neg(c.tensor(0)); }},
      {"sign", [](const Case& c) { return sign(c.tensor(0)); }},
      {"exp", [](const Case& c) { return exp(c.tensor(0)); }},
      {"log", [](const Case& c) { return log(c.tensor(0)); }},
      {"sqrt", [](const Case& c) { return sqrt(c.tensor(0)); }},
      {"rsqrt", [](const Case& c) { return rsqrt(c.tensor(0)); }},
      {"tanh", [](const Case& c) { return tanh(c.tensor(0)); }},
      {"sigmoid", [](const Case& c) { return sigmoid(c.tensor(0)); }},
      {"relu", [](const Case& c) { return relu(c.tensor(0)); }},
      {"gelu", [](const Case& c) { return gelu(c.tensor(0)); }},
      {"maximum", [](const Case& c) { return maximum(c.tensor(0), c.tensor(1)); }},
      {"minimum", [](const Case& c) { return minimum(c.tensor(0), c.tensor(1)); }},
      {"lt", [](const Case& c) { return lt(c.tensor(0), c.tensor(1)); }},
      {"le", [](const Case& c) { return le(c.tensor(0), c.tensor(1)); }},
      {"gt", [](const Case& c) { return gt(c.tensor(0), c.tensor(1)); }},
      {"ge", [](const Case& c) { return ge(c.tensor(0), c.tensor(1)); }},
      {"lerp", [](const Case& c) { return lerp(c.tensor(0), c.tensor(1), 0.5); }},
      {"addcmul", [](const Case& c) { return addcmul(c.tensor(0), c.tensor(1), c.tensor(1)); }}};
  expect_refused_as_recorded(operations, 60);
}

TEST(Fp8, OtherOperationsAreRefusedAsInPyTorch) {
  const recorded::Operations operations = {
      {"clamp", [](const Case& c) { return clamp(c.tensor(0), 0.0, 1.0); }},
      {"sum", [](const Case& c) { return sum(c.tensor(0)); }},
      {"mean", [](const Case& c) { return mean(c.tensor(0)); }},
      {"prod", [](const Case& c) { return prod(c.tensor(0), {1}); }},
      {"max", [](const Case& c) { return max(c.tensor(0), {1}); }},
      {"min", [](const Case& c) { return min(c.tensor(0), {1}); }},
      {"argmax", [](const Case& c) { return argmax(c.tensor(0), 1); }},
      {"argmin", [](const Case& c) { return argmin(c.tensor(0), 1); }},
      {"softmax", [](const Case& c) { return softmax(c.tensor(0), 1); }},
      {"log_softmax", [](const Case& c) { return log_softmax(c.tensor(0), 1); }},
      {"cumsum", [](const Case& c) { return cumsum(c.tensor(0), 1); }},
      {"sort", [](const Case& c) { return sort(c.tensor(0), 1).values; }},
      {"topk", [](const Case& c) { return topk(c.tensor(0), 2).values; }},
      {"rand", [](const Case& c) { return rand({2}, {.dtype = c.tensor(0).dtype()}); }},
      {"randn", [](const Case& c) { return randn({2}, {.dtype = c.tensor(0).dtype()}); }},
      {"randint",
       [](const Case& c) { return randint(0, 3, {2}, {.dtype = c.tensor(0).dtype()}); }}};
  expect_refused_as_recorded(operations, 32);
  for (const DType dtype : fp8) {
    const Tensor codes = all_codes(dtype).view({16, 16});
    expect_refused([&] { codes + codes; }, {"add", name(dtype).data(), "not defined"});
    expect_refused([&] { mul(codes, 2); }, {"mul", name(dtype).data(), "not defined"});
    expect_refused([&] { bernoulli({2}, 0.5, {.dtype = dtype}); }, {"bernoulli"});
    expect_refused([&] { randperm(2, {.dtype = dtype}); }, {"randperm"});
  }
}

TEST(Fp8, EveryCodeIsReadAndComesBack) {
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (const DType dtype : fp8) {
      const Format format = format_of(dtype);
      const Tensor codes = all_codes(dtype);
      const Tensor wide = codes.to(DType::fp32);
      const std::vector<double> listed = codes.to_vector<double>();
      for (unsigned code = 0; code < 256; ++code) {
        const double want = decode(format, code), got = wide.at({code}).to_double();
        ASSERT_EQ(std::isnan(got), std::isnan(want)) << code;
        ASSERT_EQ(std::signbit(got), std::signbit(want)) << code;
        if (std::isnan(want)) continue;
        ASSERT_EQ(got, want);
        ASSERT_EQ(codes.at({code}).to_double(), want);
        ASSERT_EQ(listed[code], want);
      }
      for (const DType through : {DType::fp64, DType::fp32, DType::bf16, DType::fp16}) {
        const Tensor back = codes.to(through).to(dtype);
        for (unsigned code = 0; code < 256; ++code)
          ASSERT_EQ(code_at(back, code), format.is_nan(code) ? format.nan_code(code > 127) : code)
              << code << " by way of " << name(through) << " at " << level;
      }
    }
  }
}

// From fp64 and int64 too: -431.99999999999994 is nearer to -416 than to -448, the float is a tie.
TEST(Fp8, EveryConversionRoundsOnce) {
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const auto rounded = [](auto value, DType to) {
      return full({3}, value, {.dtype = dtype_of<decltype(value)>}).to(to).at({2}).to_double();
    };
    EXPECT_EQ(rounded(-431.99999999999994, DType::e4m3fn), -416);
    EXPECT_EQ(rounded(-432.0, DType::e4m3fn), -448);
    EXPECT_EQ(rounded(1.125 + 0x1p-40, DType::e5m2), 1.25);
    EXPECT_EQ(rounded(61439.999999999, DType::e5m2), 57344);
    EXPECT_EQ(rounded((std::int64_t{9} << 10) + 0, DType::e5m2), 8192);
    EXPECT_EQ(rounded((std::int64_t{9} << 10) + 1, DType::e5m2), 10240);
    EXPECT_EQ(rounded(std::numeric_limits<std::int64_t>::max(), DType::e4m3fn), 448);
    EXPECT_EQ(rounded(std::numeric_limits<std::int64_t>::min(), DType::e5m2), -infinity);
    EXPECT_EQ(rounded(Float16(17.0), DType::e4m3fn), 16);
    EXPECT_EQ(rounded(Float8E5M2(57344.0), DType::e4m3fn), 448);
    EXPECT_EQ(rounded(Float8E4M3fn(0x1p-9), DType::e5m2), 0x1p-9);
    EXPECT_EQ(rounded(Float8E5M2::from_bits(0x7f), DType::int64), 0);
    EXPECT_EQ(rounded(Float8E5M2::from_bits(0xfc), DType::uint8), 0);
    EXPECT_EQ(rounded(Float8E5M2::from_bits(0x7c), DType::uint8), 255);
  }
}

// Which code an overflow gives, in every floating type that has a choice, at the ends of vectors
// and in their middle.
TEST(Fp8, OverflowIsNamedAtTheCallOrAsInPyTorch) {
  const std::vector<float> values = {448,   448.1f,   464,       464.00003f, 1000,    -1000,  57344,
                                     61439, 61440,    65504,     65520,      3.4e38f, -3e38f, 1.5f,
                                     -0.0f, INFINITY, -INFINITY, NAN,        1e-9f};
  Tensor x = empty({4 * std::ssize(values) + 1});
  for (std::int64_t i = 0; i < x.numel(); ++i)
    x.data<float>()[i] = values[static_cast<std::size_t>(i) % values.size()];
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (const DType from : {DType::fp32, DType::fp64, DType::bf16, DType::e5m2})
      for (const DType to : {DType::bf16, DType::fp16, DType::e4m3fn, DType::e5m2}) {
        if (from == to) continue;
        const Tensor source = x.to(from);
        EXPECT_EQ(difference(source.to(to), source.to(to, usual_overflow(to))), "");
        for (const Overflow overflow : {Overflow::saturate, Overflow::to_special}) {
          const Tensor got = source.to(to, overflow);
          for (std::int64_t i = 0; i < x.numel(); ++i) {
            const double number = source.at({i}).to_double();
            const double want = rounded(format_of(to), number, overflow);
            const double is = got.at({i}).to_double();
            ASSERT_TRUE(std::isnan(want) ? std::isnan(is) : is == want)
                << number << " from " << name(from) << " to " << name(to) << ": " << is << ", not "
                << want;
          }
        }
      }
  }
  for (const DType other : {DType::fp64, DType::fp32, DType::int64, DType::boolean})
    expect_refused([&] { x.to(other, Overflow::saturate); }, {name(other).data(), "e4m3fn"});
  EXPECT_EQ(x.to(Device::meta).to(DType::e5m2, Overflow::saturate).dtype(), DType::e5m2);
}

// Every float, so to say: beside each number, each tie, and random bits; one code at each level.
TEST(Fp8, LoopsOfEveryLevelGiveTheCodesOfTheRule) {
  std::vector<float> values;
  const auto around = [&](double x) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
    for (const std::uint32_t near : {bits - 1, bits, bits + 1})
      values.push_back(std::bit_cast<float>(near));
  };
  for (const DType dtype : fp8)
    for (unsigned code = 0; code < 255; ++code) {
      const double at = decode(format_of(dtype), code), next = decode(format_of(dtype), code + 1);
      around(at);
      around((at + next) / 2);
    }
  for (const double past : {464.0, 480.0, 61440.0, 65536.0, 3.4e38}) around(past), around(-past);
  for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 40961)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  std::vector<std::uint8_t> got(values.size());
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    for (const DType dtype : fp8)
      for (const Overflow overflow : {Overflow::saturate, Overflow::to_special}) {
        cpu::conversion(dtype, DType::fp32, overflow)(got.data(), values.data(),
                                                      std::ssize(values));
        for (std::size_t i = 0; i < values.size(); ++i)
          ASSERT_EQ(got[i], encode(format_of(dtype), static_cast<double>(values[i]), overflow))
              << level << ": " << values[i] << " to " << name(dtype);
      }
  }
}

TEST(Fp8, GatherAndViewsMoveTheCodes) {
  for (const DType dtype : fp8) {
    const Tensor x = all_codes(dtype).view({16, 16});
    const Tensor index = (rand({16, 5}) * 16).to(DType::int64);
    EXPECT_EQ(difference(gather(x, 1, index), gather(x.to(DType::fp32), 1, index).to(dtype)), "");
    const Tensor turned = x.t().contiguous();
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 16; ++c) ASSERT_EQ(code_at(turned, 16 * c + r), 16 * r + c);
    const Tensor part = x.slice(1, 3, 14, 2).clone();
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 6; ++c) ASSERT_EQ(code_at(part, 6 * r + c), 16 * r + 3 + 2 * c);
    EXPECT_EQ(x.bytes(), 256);
  }
}

TEST(Fp8, FilesHoldTheCodesByTheirNames) {
  const io::TemporaryFolder folder;
  save_safetensors(folder / "x", {{"a", all_codes(DType::e4m3fn)}, {"b", all_codes(DType::e5m2)}});
  const io::SafetensorsFile file(folder / "x");
  EXPECT_EQ(file["a"].type, "F8_E4M3");
  EXPECT_EQ(file["b"].type, "F8_E5M2");
  const NamedTensors back = load_safetensors(folder / "x");
  for (int code = 0; code < 256; ++code) {
    ASSERT_EQ(code_at(back.at("a"), code), code);
    ASSERT_EQ(code_at(back.at("b"), code), code);
  }
}

TEST(Fp8, ElementsAreReadAndWrittenByTheirTypes) {
  const Tensor x = from_data<Float8E4M3fn>({Float8E4M3fn(1.5), Float8E4M3fn(-448.0)});
  EXPECT_EQ(x.data<Float8E4M3fn>()[0].bits, 0x3c);
  EXPECT_EQ(x.to_vector<Float8E5M2>()[1].bits, 0xdf);
  EXPECT_EQ(to_string(x), "tensor([   1.5000, -448.0000], dtype=e4m3fn)");
  expect_refused([&] { x.data<Float8E5M2>(); }, {"e4m3fn", "e5m2"});
  expect_refused([] { full({2}, 449, {.dtype = DType::e4m3fn}); }, {"449", "e4m3fn"});
}

}  // namespace
}  // namespace napkin
