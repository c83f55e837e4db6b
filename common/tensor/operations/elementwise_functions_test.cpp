// Functions, comparisons, selections, addcmul and lerp against PyTorch's, as recorded by
// reference/functions.py, at every instruction set that this processor has: to the bit, but for
// functions that PyTorch computes in another way.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "common/numeric/functions.h"
#include "common/tensor/cpu/levels.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/elementwise.h"
#include "common/tensor/operations/table.h"
#include "common/tensor/testing/close.h"
#include "common/tensor/testing/recorded_cases.h"

namespace napkin {
namespace {

using recorded::Case;
using recorded::Operations;

// Calls f with an argument that is a tensor or a number.
template <class F>
Tensor with(const Case& c, std::size_t k, F f) {
  return c.is<Tensor>(k) ? f(c.tensor(k)) : f(c.number(k));
}

std::optional<Scalar> bound(const Case& c, std::size_t k) {
  return c.is<Scalar>(k) ? std::optional(c.number(k)) : std::nullopt;
}

template <class F>
auto of_two(F f) {
  return [f](const Case& c) {
    return with(c, 1, [&](const auto& b) -> Tensor { return f(c.tensor(0), b); });
  };
}

const Operations exact = {
    {"abs", [](const Case& c) { return abs(c.tensor(0)); }},
    {"sign", [](const Case& c) { return sign(c.tensor(0)); }},
    {"relu", [](const Case& c) { return relu(c.tensor(0)); }},
    {"ne", of_two([](const Tensor& a, const auto& b) { return ne(a, b); })},
    {"lt", of_two([](const Tensor& a, const auto& b) { return lt(a, b); })},
    {"le", of_two([](const Tensor& a, const auto& b) { return le(a, b); })},
    {"gt", of_two([](const Tensor& a, const auto& b) { return gt(a, b); })},
    {"ge", of_two([](const Tensor& a, const auto& b) { return ge(a, b); })},
    {"maximum", [](const Case& c) { return maximum(c.tensor(0), c.tensor(1)); }},
    {"minimum", [](const Case& c) { return minimum(c.tensor(0), c.tensor(1)); }},
    {"where",
     [](const Case& c) {
       return with(c, 1, [&](const auto& a) {
         return with(c, 2, [&](const auto& b) { return where(c.tensor(0), a, b); });
       });
     }},
    {"clamp", [](const Case& c) { return clamp(c.tensor(0), bound(c, 1), bound(c, 2)); }},
    {"clamp_", [](const Case& c) { return Tensor(c.tensor(0)).clamp_(bound(c, 1), bound(c, 2)); }},
    {"addcmul",
     [](const Case& c) { return addcmul(c.tensor(0), c.tensor(1), c.tensor(2), c.number(3)); }},
    {"addcmul_",
     [](const Case& c) {
       return Tensor(c.tensor(0)).addcmul_(c.tensor(1), c.tensor(2), c.number(3));
     }},
    {"lerp",
     [](const Case& c) {
       return with(c, 2, [&](const auto& w) { return lerp(c.tensor(0), c.tensor(1), w); });
     }},
    {"lerp_", [](const Case& c) { return Tensor(c.tensor(0)).lerp_(c.tensor(1), c.number(2)); }},
};

const Operations close = {
    {"exp", [](const Case& c) { return exp(c.tensor(0)); }},
    {"log", [](const Case& c) { return log(c.tensor(0)); }},
    {"sqrt", [](const Case& c) { return sqrt(c.tensor(0)); }},
    {"rsqrt", [](const Case& c) { return rsqrt(c.tensor(0)); }},
    {"tanh", [](const Case& c) { return tanh(c.tensor(0)); }},
    {"sigmoid", [](const Case& c) { return sigmoid(c.tensor(0)); }},
    {"gelu",
     [](const Case& c) {
       return gelu(c.tensor(0), c.get<std::string>(1) == "tanh" ? Gelu::tanh : Gelu::erf);
     }},
};

TEST(ElementwiseFunctions, ChoicesAndFusedProductsArePyTorchs) {
  for (const std::string& level : cpu::levels()) {
    const cpu::ForcedLevel forced(level);
    const recorded::Verdict verdict = recorded::compare("functions", exact);
    EXPECT_EQ(verdict.wrong, std::vector<std::string>()) << level;
    EXPECT_GT(verdict.checked, 1400);
  }
}

TEST(ElementwiseFunctions, FunctionsAreCloseToPyTorchs) {
  std::vector<std::string> names;
  for (const auto& [name, operation] : close) names.push_back(name);
  int checked = 0;
  for (const Case& c : recorded::cases("functions", names)) {
    SCOPED_TRACE(c.text);
    const auto run = [&] { return close.at(c.operation)(c); };
    if (c.refused)
      EXPECT_THROW(run(), Error);
    else
      EXPECT_EQ(recorded::not_close(run().at(0), c.results.at(0), c.operation), "");
    ++checked;
  }
  EXPECT_GT(checked, 240);
}

// What numeric/functions.h says of one float holds for tensors at every instruction set.
TEST(ElementwiseFunctions, LoopsHaveTheBitsOfTheRules) {
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 65537)
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const Tensor all = empty({std::ssize(x)});
  std::copy(x.begin(), x.end(), all.data<float>());
  const auto same = [&](const Tensor& y, float (*rule)(float)) {
    const float* got = y.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float want = rule(x[i]);
      ASSERT_TRUE(std::bit_cast<std::uint32_t>(got[i]) == std::bit_cast<std::uint32_t>(want) ||
                  (std::isnan(got[i]) && std::isnan(want)))
          << std::hexfloat << x[i] << " gives " << got[i] << ", not " << want;
    }
  };
  for (const std::string& level : cpu::levels()) {
    SCOPED_TRACE(level);
    const cpu::ForcedLevel forced(level);
    same(exp(all), exp_rule);
    same(log(all), log_rule);
    same(tanh(all), tanh_rule);
    same(sigmoid(all), sigmoid_rule);
    same(gelu(all), gelu_rule);
    same(gelu(all, Gelu::tanh), gelu_tanh_rule);
    same(sqrt(all), [](float a) { return static_cast<float>(std::sqrt(double{a})); });
    same(rsqrt(all), [](float a) { return 1 / std::sqrt(a); });
  }
}

// The same layout on meta.
Tensor shape_only(const Tensor& x) {
  const Tensor strip =
      empty({x.storage_bytes() / size_of(x.dtype())}, {.dtype = x.dtype(), .device = Device::meta});
  return strip.as_strided(x.shape(), x.strides(), x.offset());
}

TEST(ElementwiseFunctions, MetaResultsHaveTheShapesOfRealOnes) {
  int checked = 0;
  for (Case& c : recorded::cases("functions")) {
    SCOPED_TRACE(c.text);
    for (recorded::Argument& a : c.arguments)
      if (std::holds_alternative<Tensor>(a)) a = shape_only(std::get<Tensor>(a));
    const auto run = [&] {
      return (exact.contains(c.operation) ? exact : close).at(c.operation)(c);
    };
    ++checked;
    if (c.refused) {
      EXPECT_THROW(run(), Error);
      continue;
    }
    const Tensor got = run().at(0);
    if (c.operation.back() == '_') continue;
    EXPECT_EQ(got.device(), Device::meta);
    EXPECT_EQ(got.dtype(), c.results[0].elements.dtype());
    EXPECT_EQ(got.shape(), c.results[0].shape);
    EXPECT_TRUE(got.numel() == 0 || got.strides() == c.results[0].strides);
  }
  EXPECT_GT(checked, 1600);
}

const std::pair<Op, std::function<Tensor(const Tensor&)>> calls[] = {
    {Op::add, [](const Tensor& x) { return x + x; }},
    {Op::sub, [](const Tensor& x) { return x - x; }},
    {Op::mul, [](const Tensor& x) { return x * x; }},
    {Op::div, [](const Tensor& x) { return x / x; }},
    {Op::neg, [](const Tensor& x) { return -x; }},
    {Op::abs, [](const Tensor& x) { return abs(x); }},
    {Op::sign, [](const Tensor& x) { return sign(x); }},
    {Op::exp, [](const Tensor& x) { return exp(x); }},
    {Op::log, [](const Tensor& x) { return log(x); }},
    {Op::sqrt, [](const Tensor& x) { return sqrt(x); }},
    {Op::rsqrt, [](const Tensor& x) { return rsqrt(x); }},
    {Op::tanh, [](const Tensor& x) { return tanh(x); }},
    {Op::sigmoid, [](const Tensor& x) { return sigmoid(x); }},
    {Op::relu, [](const Tensor& x) { return relu(x); }},
    {Op::gelu, [](const Tensor& x) { return gelu(x); }},
    {Op::gelu, [](const Tensor& x) { return gelu(x, Gelu::tanh); }},
    {Op::clamp, [](const Tensor& x) { return clamp(x, false, true); }},
    {Op::maximum, [](const Tensor& x) { return maximum(x, x); }},
    {Op::minimum, [](const Tensor& x) { return minimum(x, x); }},
    {Op::eq, [](const Tensor& x) { return eq(x, x); }},
    {Op::ne, [](const Tensor& x) { return ne(x, x); }},
    {Op::lt, [](const Tensor& x) { return lt(x, x); }},
    {Op::le, [](const Tensor& x) { return le(x, x); }},
    {Op::gt, [](const Tensor& x) { return gt(x, x); }},
    {Op::ge, [](const Tensor& x) { return ge(x, x); }},
    {Op::where, [](const Tensor& x) { return where(eq(x, x), x, x); }},
    {Op::addcmul, [](const Tensor& x) { return addcmul(x, x, x); }},
    {Op::lerp, [](const Tensor& x) { return lerp(x, x, 0.5); }},
};

// The table of operations, cell by cell.
TEST(ElementwiseFunctions, EveryCellOfTheTableIsAnAnswerOrASentence) {
  for (const auto& [op, call] : calls)
    for (const DType dtype : all_dtypes)
      for (const Device device : {Device::cpu, Device::meta}) {
        SCOPED_TRACE(fmt::format("{} of {} on {}", name(op), name(dtype), name(device)));
        const Tensor x = ones({3}, {.dtype = dtype, .device = device});
        if (is_defined(op, dtype, device))
          EXPECT_NO_THROW(call(x));
        else
          EXPECT_THROW(call(x), Error);
      }
}

}  // namespace
}  // namespace napkin
